// SPDX-License-Identifier: Apache-2.0
#include "tests/support/repeated_trace.h"
#include <algorithm>
#include <cstdio>

namespace voxlab {
namespace {
constexpr std::int64_t kIdsPerRepetition = 1000000;

// The event's text without its closing brace, so that changing members can be added at its end.
std::string opened(const Json& event) {
  std::string text = event.dump();
  text.pop_back();
  return text;
}
} // namespace

RepeatedTrace::RepeatedTrace(Json base, std::uint64_t repetitions) : m_repetitions(repetitions) {
  double first = 1e300, last = 0;
  for (auto& event : base.at("traceEvents")) {
    if (!event.contains("ts") || !event.contains("ph") || event["ph"] == "M")
      continue;
    Piece piece;
    piece.time_us = event["ts"].get<double>();
    first = std::min(first, piece.time_us);
    last = std::max(last, piece.time_us + event.value("dur", 0.0));
    event.erase("ts");
    if (event.contains("id") && event["id"].is_number_integer()) {
      piece.flow = event["id"].get<std::int64_t>();
      event.erase("id");
    }
    if (event.contains("args")) {
      Json args = event["args"];
      event.erase("args");
      if (args.contains("correlation")) {
        piece.correlation = args["correlation"].get<std::int64_t>();
        args.erase("correlation");
      }
      piece.after = args.empty() ? "" : opened(args).substr(1);
    }
    piece.before = opened(event);
    m_pieces.push_back(std::move(piece));
  }
  for (auto& piece : m_pieces)
    piece.time_us -= first;
  m_length_us = last - first + 1000;
}

void RepeatedTrace::append(const Piece& piece) {
  char buffer[64];
  const auto ids = static_cast<std::int64_t>(m_repetition) * kIdsPerRepetition;
  std::snprintf(buffer, sizeof buffer, ",\"ts\":%.3f", piece.time_us + m_length_us * static_cast<double>(m_repetition));
  m_pending += m_events++ ? ",\n" : "\n";
  m_pending += piece.before + buffer;
  if (piece.flow != 0)
    m_pending += ",\"id\":" + std::to_string(piece.flow + ids);
  m_pending += ",\"args\":{" + piece.after;
  if (piece.correlation != 0)
    m_pending += std::string(piece.after.empty() ? "" : ",") + "\"correlation\":" + std::to_string(piece.correlation + ids);
  m_pending += "}}";
}

Result<std::size_t> RepeatedTrace::read(std::span<char> buffer) {
  if (m_given == m_pending.size()) {
    m_pending.clear();
    m_given = 0;
    if (!m_begun)
      m_pending = R"({"schemaVersion": 1, "traceEvents": [)";
    m_begun = true;
    while (m_pending.size() < 100000 && m_repetition < m_repetitions) {
      append(m_pieces[m_next]);
      if (++m_next == m_pieces.size()) {
        m_next = 0;
        ++m_repetition;
      }
    }
    if (m_repetition == m_repetitions && !m_ended) {
      m_pending += "]}";
      m_ended = true;
    }
  }
  const std::size_t n = std::min(buffer.size(), m_pending.size() - m_given);
  std::copy_n(m_pending.data() + m_given, n, buffer.data());
  m_given += n;
  m_bytes += n;
  return n;
}

double RepeatedTrace::fractionRead() const {
  return (static_cast<double>(m_repetition) + static_cast<double>(m_next) / static_cast<double>(m_pieces.size())) /
         static_cast<double>(m_repetitions);
}

} // namespace voxlab
