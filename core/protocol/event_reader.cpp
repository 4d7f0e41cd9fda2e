// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/event_reader.h"
#include <algorithm>
#include <limits>

namespace voxlab {

Result<std::vector<Event>> EventReader::poll(std::size_t maximumEvents) {
  if (!m_status)
    return fail(m_status.error());
  const auto lines = m_lines.poll(maximumEvents);
  if (!lines)
    return fail(lines.error());
  std::vector<Event> events;
  for (const Json& line : *lines) {
    auto event = eventFromJson(line);
    const EventCheck verdict = event ? check(*event) : EventCheck::Malformed;
    if (verdict == EventCheck::Malformed) {
      ++m_malformed;
      continue;
    }
    if (verdict == EventCheck::UnknownType) {
      ++m_unknownEvents;
      m_unknownTypes.insert(event->type);
      continue;
    }
    m_unknownFields += voxlab::unknownFields(*event);
    if (event->type == event::kHello) {
      m_status = checkVersion(jsonGet<int>(event->fields, "major").value_or(0), jsonGet<int>(event->fields, "minor").value_or(0),
                              m_file.string());
      if (!m_status)
        return fail(m_status.error());
    }
    events.push_back(std::move(*event));
  }
  return events;
}

namespace {
std::uint64_t fileSizeOrZero(const std::filesystem::path& file) {
  std::error_code ec;
  const auto size = std::filesystem::file_size(file, ec);
  return ec ? 0 : size;
}
} // namespace

ControlReader::ControlReader(std::filesystem::path file, std::string startWallTime)
    : m_startWallTime(std::move(startWallTime)), m_sizeAtStart(fileSizeOrZero(file)), m_lines(std::move(file)) {}

Result<std::vector<ControlRequest>> ControlReader::poll() {
  std::vector<ControlRequest> requests;
  do {
    const auto lines = m_lines.poll(1); // one at a time: a request's place in the file counts
    if (!lines)
      return fail(lines.error());
    if (lines->empty())
      break;
    auto request = controlRequestFromJson(lines->front());
    if (!request)
      ++m_malformed;
    else if (m_lines.offset() <= m_sizeAtStart &&
             request->wall_time < m_startWallTime) // the clock of a remote studio may be behind
      ++m_ignored;
    else
      requests.push_back(std::move(*request));
  } while (!m_lines.atEnd());
  return requests;
}

std::vector<Event> effectiveEvents(std::vector<Event> events) {
  // From the end: what stands before a start is bounded by the lowest resume_step that follows.
  double limit = std::numeric_limits<double>::infinity();
  std::vector<Event> kept;
  for (auto it = events.rbegin(); it != events.rend(); ++it) {
    const bool hello = it->type == event::kHello;
    if (hello || jsonGet<double>(it->fields, "step").value_or(0) <= limit)
      kept.push_back(*it);
    if (hello)
      limit = std::min(limit, jsonGet<double>(it->fields, "resume_step").value_or(0));
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

} // namespace voxlab
