// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/control_point.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::int64_t kMostProfiled = 1000;
} // namespace

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
    profileNext(request, wishes);
  } else {
    wishes.checkpoint |= request.command == command::kCheckpointNow;
    wishes.sample |= request.command == command::kSampleNow;
    m_session.acknowledge(request);
  }
}

// Of requests that come together the longest covers the others, as all begin with the next step.
void ControlPoint::profileNext(const ControlRequest& request, ControlWishes& wishes) {
  const bool given = request.fields.contains("steps");
  const auto asked = given ? jsonGet<std::int64_t>(request.fields, "steps") : std::optional<std::int64_t>(1);
  if (!asked || *asked < 1)
    return m_session.refuse(request, "It asks for " + request.fields.value("steps", Json()).dump() + " steps; a whole number from 1 is needed.");
  wishes.profileSteps = std::max(wishes.profileSteps, std::min(*asked, kMostProfiled));
  if (*asked > kMostProfiled)
    m_session.acknowledge(request, "It asks for " + std::to_string(*asked) + " steps; " + std::to_string(kMostProfiled) + " are recorded, the most at once.");
  else
    m_session.acknowledge(request);
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
