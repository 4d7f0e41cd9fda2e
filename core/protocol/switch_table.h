// SPDX-License-Identifier: Apache-2.0
// The switches of a mode by name, as they follow a mode's name: "opt1+graph+checkpoint_0". Shared, so that the launch form offers them and
// estimates what a combination needs.
#pragma once
#include "core/protocol/job_spec.h"
#include "core/protocol/mode_switches.h"
#include <string>

namespace voxlab {

struct NamedSwitch {
  std::string name, title, explanation;
  void (*apply)(ModeSwitches&, int number) = nullptr;
  int number = 0; // of a level or part
};

const std::vector<NamedSwitch>& switchTable();

// Whether there is a switch of this name; then it was applied.
bool applySwitch(const std::string& name, ModeSwitches& target);

// "opt1+graph" to "opt1" and {"graph"}, blanks trimmed; and back.
struct CombinedMode {
  std::string row;
  std::vector<std::string> switches;
};
CombinedMode splitMode(const std::string& text);
std::string joinMode(const CombinedMode& mode);

// A job names its mode whole, "mode": "opt1+graph". Forms and presets may keep what is added apart, in "mode_switches": this joins them, and
// takes them apart for a form.
inline constexpr const char* kModeSwitchesKey = "mode_switches";
void joinModeSwitches(JobSpec& spec);
void separateModeSwitches(JobSpec& spec);

} // namespace voxlab
