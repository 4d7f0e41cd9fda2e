// SPDX-License-Identifier: Apache-2.0
// Optimisation modes: named rows of switches in one table, and every combination of them as text. A switch is added in
// core/protocol/mode_switches.h, named in core/protocol/switch_table.cpp, and takes effect here or in the backend.
#pragma once
#include "core/protocol/catalog.h"
#include "core/protocol/mode_switches.h"
#include <c10/core/Device.h>

namespace voxlab {

struct Mode {
  std::string name, title, explanation;
  ModeSwitches switches;
};

// Only modes that this build can run on some device.
const std::vector<Mode>& modeTable();

// "opt1", or a row with switches added: "baseline+channels_last+bf16+checkpoint_0". Fails with Usage on unknown names, listing
// those that there are.
Result<Mode> parseMode(const std::string& text);
std::vector<std::string> modeSwitchNames(); // what may follow a "+"

// Why the mode cannot run on this device, as a sentence; empty when it can.
std::string unavailableReason(const ModeSwitches& switches, c10::Device device);

// The table as choices of a parameter, for this device.
std::vector<Choice> modeChoices(c10::Device device);

// The largest relative difference (Euclidean norm) of a prediction from Baseline's that a precision explains: FP32 sums in
// another order; TF32 and FP16 have 10 bits of mantissa, BF16 has 7, and rounding adds up over the layers.
double predictionTolerance(Precision precision);

enum class Determinism { Unknown, Off, On };

// LibTorch's global switches, set as a mode wants them and restored at the end of the scope. One at a time.
class ModeGuard {
public:
  ModeGuard(const ModeSwitches& switches, Determinism determinism);
  ~ModeGuard();
  ModeGuard(const ModeGuard&) = delete;
  ModeGuard& operator=(const ModeGuard&) = delete;

private:
  struct Saved;
  std::unique_ptr<Saved> m_saved;
};

// The global switches as they are now, whatever set them: for environment.jsonl.
Json effectiveState();

} // namespace voxlab
