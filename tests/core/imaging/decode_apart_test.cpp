// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/decode_apart.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

using namespace voxlab;

TEST(DecodeApart, WhatTheChildMakesArrives) {
  const auto bytes = decodeApart(
      300'000,
      [](std::span<std::byte> out) {
        for (std::size_t n = 0; n < out.size(); ++n)
          out[n] = static_cast<std::byte>(n * 7);
        return true;
      },
      "Test");
  ASSERT_TRUE(bytes) << bytes.error().message;
  ASSERT_EQ(bytes->size(), 300'000u);
  EXPECT_EQ((*bytes)[299'999], static_cast<std::byte>(299'999u * 7));
}

TEST(DecodeApart, AChildThatFailsOrDiesIsAnError) {
  using Decoder = bool (*)(std::span<std::byte>);
  const Decoder decoders[] = {[](std::span<std::byte>) { return false; }, [](std::span<std::byte>) -> bool { throw std::runtime_error("x"); },
                              [](std::span<std::byte>) -> bool { std::abort(); },
                              [](std::span<std::byte>) -> bool {
                                ::raise(SIGSEGV);
                                return true;
                              }};
  for (const Decoder decoder : decoders) {
    const auto bytes = decodeApart(100, decoder, "Could not read x.dcm");
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ExitCode::Data);
    EXPECT_EQ(bytes.error().message, "Could not read x.dcm: its compressed pixels are damaged, or their compression is not supported.");
  }
}

TEST(DecodeApart, CancellingEndsTheChild) {
  std::stop_source stop;
  stop.request_stop();
  const auto bytes = decodeApart(
      100,
      [](std::span<std::byte>) {
        ::pause(); // for ever: only the signal ends it
        return true;
      },
      "Test", stop.get_token());
  EXPECT_EQ(bytes.error().code, ExitCode::Stopped);
}
