// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/run_session.h"

namespace voxlab {

// Tells how far a piece of work is, at most twice a second.
class Progress {
public:
  Progress(RunSession& session, std::string what, std::int64_t total)
      : m_session(session), m_what(std::move(what)), m_total(total) {}

  void tell(std::int64_t done) { emit(static_cast<double>(done)); }
  // `part` (0…1) of the next one.
  void tellPart(std::int64_t done, double part) {
    if (m_session.secondsSinceStart() > m_told_s + 0.5)
      emit(static_cast<double>(done) + part);
  }

private:
  void emit(double done) {
    m_told_s = m_session.secondsSinceStart();
    m_session.emit(event::kProgress, {{"what", m_what}, {"done", done}, {"total", m_total}});
  }

  RunSession& m_session;
  std::string m_what;
  std::int64_t m_total;
  double m_told_s = 0;
};

} // namespace voxlab
