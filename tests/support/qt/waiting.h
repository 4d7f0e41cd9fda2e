// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <QTest>
#include <gtest/gtest.h>

// Turns the event loop until the condition holds; the time limit is for tests that fail.
#define EXPECT_SOON(condition) EXPECT_TRUE(QTest::qWaitFor([&]() -> bool { return (condition); }, 60000)) << #condition
#define ASSERT_SOON(condition) ASSERT_TRUE(QTest::qWaitFor([&]() -> bool { return (condition); }, 60000)) << #condition
