// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_worker/misbehaviour.h"
#include <cstdlib>

namespace voxlab::fake {
namespace {
std::optional<std::int64_t> number(const char* name) {
  const char* text = std::getenv(name);
  return text && *text ? std::optional<std::int64_t>(std::strtoll(text, nullptr, 10)) : std::nullopt;
}
} // namespace

Misbehaviour fromEnvironment() {
  Misbehaviour m;
  m.step_ms = number("VOXLAB_FAKE_STEP_MS").value_or(m.step_ms);
  m.failAt = number("VOXLAB_FAKE_FAIL_AT");
  m.killAt = number("VOXLAB_FAKE_KILL_AT");
  m.hangAt = number("VOXLAB_FAKE_HANG_AT");
  m.nanAt = number("VOXLAB_FAKE_NAN_AT");
  m.exitCode = static_cast<int>(number("VOXLAB_FAKE_EXIT_CODE").value_or(m.exitCode));
  m.deaf = number("VOXLAB_FAKE_DEAF").value_or(0) != 0;
  m.torn = number("VOXLAB_FAKE_TORN").value_or(0) != 0;
  m.unknown = number("VOXLAB_FAKE_UNKNOWN").value_or(0) != 0;
  if (const char* describe = std::getenv("VOXLAB_FAKE_DESCRIBE"))
    m.describe = describe;
  return m;
}

} // namespace voxlab::fake
