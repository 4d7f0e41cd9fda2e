// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/control_point.h"
#include <algorithm>

namespace voxlab {

ControlPoint::ControlPoint(RunSession& session, std::set<std::string_view> supported)
    : m_session(session), m_supported(std::move(supported)) {}

ControlWishes ControlPoint::poll(std::string_view activity) {
  m_activity = activity;
  ControlWishes wishes;
  for (;;) {
    while (const auto request = m_session.takeRequest())
      obey(*request, wishes);
    if (stopRequested() && !m_saidStopping) {
      m_saidStopping = true;
      m_session.emitState("stopping");
    }
    if (!paused() || wishes.any())
      return wishes;
    m_session.waitForRequest();
  }
}

bool ControlPoint::supports(const ControlRequest& request) const {
  return m_supported.count(request.command) > 0;
}

void ControlPoint::obey(const ControlRequest& request, ControlWishes& wishes) {
  if (request.command == command::kStop) {
    m_session.acknowledge(request, "The state is saved, then the run stops.");
    m_session.stop();
  } else if (request.command == command::kPause) {
    pause(request);
  } else if (request.command == command::kResume) {
    resume(request);
  } else if (!supports(request)) {
    m_session.refuse(request, "This job cannot follow the request \"" + request.command + "\".");
  } else if (request.command == command::kProfileNext) {
    const auto steps = jsonGet<std::int64_t>(request.fields, "steps").value_or(1);
    if (steps < 1)
      return m_session.refuse(request, "It asks for " + std::to_string(steps) + " steps; one is the least.");
    wishes.profileSteps = std::min<std::int64_t>(steps, 1000);
    m_session.acknowledge(request);
  } else {
    wishes.checkpoint |= request.command == command::kCheckpointNow;
    wishes.sample |= request.command == command::kSampleNow;
    m_session.acknowledge(request);
  }
}

void ControlPoint::pause(const ControlRequest& request) {
  if (m_paused)
    return m_session.refuse(request, "The run is paused already.");
  m_paused = true;
  m_session.acknowledge(request);
  m_session.emitState("paused");
}

void ControlPoint::resume(const ControlRequest& request) {
  if (!m_paused)
    return m_session.refuse(request, "The run is not paused.");
  m_paused = false;
  m_session.acknowledge(request);
  m_session.emitState(m_activity);
}

} // namespace voxlab
