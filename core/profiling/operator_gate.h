// SPDX-License-Identifier: Apache-2.0
// Opens something, a profiler's collection say, around chosen operators: the n-th call of a name.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace voxlab {

class OperatorGate {
public:
  using Calls = std::map<std::string, std::set<std::size_t>>; // by name: which calls, counted from construction
  // open and close are called in turn, on the thread of the operator; operators within an open one change nothing. One gate at a
  // time; operators of every thread count.
  OperatorGate(Calls calls, std::function<void()> open, std::function<void()> close);
  ~OperatorGate();
  OperatorGate(const OperatorGate&) = delete;
  OperatorGate& operator=(const OperatorGate&) = delete;

  std::size_t opened() const { return m_opened; } // calls that were found

private:
  friend struct OperatorGateCallbacks;
  bool enter(const std::string& name);
  void leave();

  Calls m_calls;
  std::function<void()> m_open, m_close;
  std::mutex m_mutex;
  std::map<std::string, std::size_t> m_seen;
  std::size_t m_depth = 0, m_opened = 0;
  std::uint64_t m_handle = 0;
};

} // namespace voxlab
