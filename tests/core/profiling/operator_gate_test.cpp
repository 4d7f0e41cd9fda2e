// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/operator_gate.h"
#include <ATen/ops/add.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <thread>

using namespace voxlab;

namespace {
struct Counted {
  int opened = 0, closed = 0;
  std::function<void()> open = [this] { ++opened; };
  std::function<void()> close = [this] { ++closed; };
};
} // namespace

TEST(OperatorGate, OpensAroundTheChosenCallsOnly) {
  const at::Tensor a = at::ones({4, 4});
  Counted counted;
  OperatorGate gate({{"aten::add", {1, 3, 9}}}, counted.open, counted.close);
  std::vector<int> openedAfter;
  for (int i = 0; i < 5; ++i) {
    at::add(a, a);
    openedAfter.push_back(counted.opened);
  }
  EXPECT_EQ(openedAfter, (std::vector<int>{0, 1, 1, 2, 2}));
  EXPECT_EQ(counted.closed, 2);
  EXPECT_EQ(gate.opened(), 2u);
}

TEST(OperatorGate, AnOperatorWithinAnOpenOneChangesNothing) {
  const at::Tensor a = at::ones({4, 4});
  Counted counted;
  const OperatorGate gate({{"aten::matmul", {0}}, {"aten::mm", {0}}}, counted.open, counted.close);
  at::matmul(a, a);
  EXPECT_EQ(counted.opened, 1);
  EXPECT_EQ(counted.closed, 1);
  EXPECT_EQ(gate.opened(), 2u);
}

TEST(OperatorGate, CountsTheCallsOfEveryThreadAndNoneAfterItsEnd) {
  const at::Tensor a = at::ones({4, 4});
  Counted counted;
  {
    const OperatorGate gate({{"aten::add", {1}}}, counted.open, counted.close);
    at::add(a, a);
    std::thread([&] { at::add(a, a); }).join();
    EXPECT_EQ(counted.opened, 1);
  }
  at::add(a, a);
  EXPECT_EQ(counted.opened, 1);
  EXPECT_EQ(counted.closed, 1);
}
