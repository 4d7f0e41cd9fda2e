// SPDX-License-Identifier: Apache-2.0
// Events and requests as the two sides read them: checked, with what is not understood counted.
#pragma once
#include "core/protocol/event_stream.h"
#include "core/protocol/events.h"
#include <set>

namespace voxlab {

// Tails events.jsonl.
class EventReader {
public:
  explicit EventReader(std::filesystem::path file) : m_file(file), m_lines(std::move(file)) {}

  // Events that came since the last call, of known types and with their required fields. Fails with Data, and goes on
  // failing, once a start of a newer major version was met; both versions are in the message.
  Result<std::vector<Event>> poll(std::size_t maximumEvents = 100000);
  bool atEnd() const { return m_lines.atEnd(); }
  std::uint64_t restarts() const { return m_lines.restarts(); } // grows when the file was read from its start again
  std::uint64_t skippedLines() const { return m_lines.skippedLines() + m_malformed; }
  std::uint64_t unknownEvents() const { return m_unknownEvents; }
  std::uint64_t unknownFields() const { return m_unknownFields; }
  const std::set<std::string>& unknownTypes() const { return m_unknownTypes; }

private:
  std::filesystem::path m_file;
  LineReader m_lines;
  Status m_status;
  std::uint64_t m_malformed = 0, m_unknownEvents = 0, m_unknownFields = 0;
  std::set<std::string> m_unknownTypes;
};

// Tails control.jsonl for one start of a worker. Requests that stood in the file when the reader was made and are older
// than the start are ignored: they were meant for an earlier start.
class ControlReader {
public:
  ControlReader(std::filesystem::path file, std::string startWallTime);
  Result<std::vector<ControlRequest>> poll();
  std::uint64_t ignoredRequests() const { return m_ignored; }
  std::uint64_t skippedLines() const { return m_lines.skippedLines() + m_malformed; }

private:
  std::string m_startWallTime;
  std::uint64_t m_sizeAtStart;
  LineReader m_lines;
  std::uint64_t m_ignored = 0, m_malformed = 0;
};

// The run's story without what was done again: events of earlier starts whose "step" lies beyond a later start's
// resume_step are left out.
std::vector<Event> effectiveEvents(std::vector<Event> events);

} // namespace voxlab
