// SPDX-License-Identifier: Apache-2.0
// A trace of any length, made while it is read: the events of a recorded trace over and over, each repetition later in time
// and with ids of its own. Nothing of it is ever whole in memory or on the disk.
#pragma once
#include "core/base/byte_source.h"
#include "core/base/json.h"

namespace voxlab {

class RepeatedTrace final : public ByteSource {
public:
  RepeatedTrace(Json base, std::uint64_t repetitions);

  Result<std::size_t> read(std::span<char> buffer) override;
  double fractionRead() const override;
  std::string name() const override { return "a repeated trace"; }
  std::uint64_t bytesRead() const { return m_bytes; }
  std::uint64_t eventsRead() const { return m_events; }

private:
  struct Piece { // an event's text around what changes with the repetition
    std::string before, after;
    double time_us = 0;
    std::int64_t correlation = 0, flow = 0;
  };
  void append(const Piece& piece);

  std::vector<Piece> m_pieces;
  std::uint64_t m_repetitions, m_repetition = 0, m_bytes = 0, m_events = 0;
  std::size_t m_next = 0;
  double m_length_us = 0;
  std::string m_pending;
  std::size_t m_given = 0;
  bool m_begun = false, m_ended = false;
};

} // namespace voxlab
