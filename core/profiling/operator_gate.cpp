// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/operator_gate.h"
#include <ATen/record_function.h>
#include <atomic>

namespace voxlab {
namespace {
std::atomic<OperatorGate*> g_gate{nullptr}; // LibTorch's callbacks are plain functions

struct Entered : at::ObserverContext {};
} // namespace

struct OperatorGateCallbacks {
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    OperatorGate* gate = g_gate;
    return gate && gate->enter(function.name()) ? std::make_unique<Entered>() : nullptr;
  }
  static void end(const at::RecordFunction&, at::ObserverContext* context) {
    if (OperatorGate* gate = g_gate; gate && context)
      gate->leave();
  }
};

OperatorGate::OperatorGate(Calls calls, std::function<void()> open, std::function<void()> close)
    : m_calls(std::move(calls)), m_open(std::move(open)), m_close(std::move(close)) {
  g_gate = this;
  m_handle = at::addGlobalCallback(at::RecordFunctionCallback(&OperatorGateCallbacks::begin, &OperatorGateCallbacks::end)
                                       .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

OperatorGate::~OperatorGate() {
  at::removeCallback(m_handle);
  g_gate = nullptr;
}

bool OperatorGate::enter(const std::string& name) {
  const std::lock_guard guard(m_mutex);
  const auto wanted = m_calls.find(name);
  if (wanted == m_calls.end() || wanted->second.count(m_seen[name]++) == 0)
    return false;
  ++m_opened;
  if (m_depth++ == 0)
    m_open();
  return true;
}

void OperatorGate::leave() {
  const std::lock_guard guard(m_mutex);
  if (--m_depth == 0)
    m_close();
}

} // namespace voxlab
