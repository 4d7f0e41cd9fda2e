// SPDX-License-Identifier: Apache-2.0
// Where a job that can be steered looks up from its work: between steps.
#pragma once
#include "core/protocol/run_session.h"
#include <set>

namespace voxlab {

// What was asked for and is to be done now; each request has been acknowledged.
struct ControlWishes {
  bool checkpoint = false, sample = false;
  std::int64_t profileSteps = 0;
  bool any() const { return checkpoint || sample || profileSteps > 0; }
};

class ControlPoint {
public:
  // `supported`: commands beside pause, resume and stop that the job can follow; others are refused in words.
  ControlPoint(RunSession& session, std::set<std::string_view> supported);

  // Takes the requests that wait. While paused it blocks, until there is something to do, a resume or a stop. Work so:
  //   do { wishes = point.poll("running"); …fulfil them…; } while (point.paused());
  // `activity` is the state that is announced when a pause ends.
  ControlWishes poll(std::string_view activity);
  bool paused() const { return m_paused && !m_session.stopRequested(); }
  bool stopRequested() const { return m_session.stopRequested(); }

private:
  void obey(const ControlRequest& request, ControlWishes& wishes);
  void profileNext(const ControlRequest& request, ControlWishes& wishes);
  void pause(const ControlRequest& request);
  void resume(const ControlRequest& request);
  bool supports(const ControlRequest& request) const;

  RunSession& m_session;
  std::set<std::string_view> m_supported;
  std::string m_activity;
  bool m_paused = false, m_saidStopping = false;
};

} // namespace voxlab
