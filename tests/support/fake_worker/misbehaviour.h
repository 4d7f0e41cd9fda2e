// SPDX-License-Identifier: Apache-2.0
// How the fake worker is told to misbehave: by environment variables, so that the program under test starts it as it would
// start the real one. "Step" is a training step or a drawn volume.
//   VOXLAB_FAKE_STEP_MS=N      time a step takes (default 20)
//   VOXLAB_FAKE_FAIL_AT=N      fails at that step with …
//   VOXLAB_FAKE_EXIT_CODE=N      … this code (default 70)
//   VOXLAB_FAKE_KILL_AT=N      dies there by SIGKILL
//   VOXLAB_FAKE_HANG_AT=N      says nothing more from there on, heartbeats included, until it is killed
//   VOXLAB_FAKE_DEAF=1         never takes a request
//   VOXLAB_FAKE_TORN=1         writes half a line after every step, and the rest before the next one
//   VOXLAB_FAKE_UNKNOWN=1      adds types and fields of a future version
//   VOXLAB_FAKE_NAN_AT=N       reports NaN (null) as loss from there on, with a warning
//   VOXLAB_FAKE_DESCRIBE=fail  describe exits 70; =garbage prints no JSON; =hang never ends
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace voxlab::fake {

struct Misbehaviour {
  std::int64_t step_ms = 20;
  std::optional<std::int64_t> failAt, killAt, hangAt, nanAt;
  int exitCode = 70;
  bool deaf = false, torn = false, unknown = false;
  std::string describe;
};

Misbehaviour fromEnvironment();

} // namespace voxlab::fake
