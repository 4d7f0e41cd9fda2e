// SPDX-License-Identifier: Apache-2.0
// A device graph without a device: a recording is the closure, replaying calls it. What it counts shows who did what.
#pragma once
#include "core/execution/graph_runner.h"

namespace voxlab {

struct FakeGraphCounts {
  int made = 0, warmUps = 0, captures = 0, replays = 0;
};

class FakeGraph : public DeviceGraph {
public:
  explicit FakeGraph(FakeGraphCounts& counts) : m_counts(counts) { ++m_counts.made; }
  void warmUp(const std::function<void()>& work) override {
    ++m_counts.warmUps;
    work();
  }
  void capture(const std::function<void()>& work) override {
    ++m_counts.captures;
    m_work = work;
  }
  void replay() override {
    ++m_counts.replays;
    m_work();
  }

private:
  FakeGraphCounts& m_counts;
  std::function<void()> m_work;
};

inline GraphFactory fakeGraphs(FakeGraphCounts& counts) {
  return [&counts] { return std::make_unique<FakeGraph>(counts); };
}

} // namespace voxlab
