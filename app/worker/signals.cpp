// SPDX-License-Identifier: Apache-2.0
#include "app/worker/signals.h"
#include <csignal>

namespace voxlab {
namespace {
std::atomic<RunSession*> g_session{nullptr};

extern "C" void askToStop(int signal) {
  RunSession* session = g_session;
  // Job managers send SIGTERM more than once, to the process and to its group: that is no impatience. A second Ctrl-C is.
  if (session && (signal == SIGTERM || !session->stopRequested()))
    return session->stop();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}
} // namespace

StopSignals::StopSignals(RunSession& session) {
  g_session = &session;
  for (const int signal : {SIGTERM, SIGINT})
    std::signal(signal, askToStop);
}

StopSignals::~StopSignals() {
  for (const int signal : {SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  g_session = nullptr;
}

} // namespace voxlab
