// SPDX-License-Identifier: Apache-2.0
// What makes two specifications two jobs: settings whose values differ, told so that somebody can give those of then again.
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

struct SpecChange {
  std::string key;
  Json then, now;
};
// The settings of the later job's kind that differ, in the catalog's order; another kind comes first. A setting that the earlier
// specification does not have was unknown to the program that wrote it, which did what the default says: it differs only from that.
std::vector<SpecChange> specChanges(const JobSpec& then, const JobSpec& now, const Catalog& known);

// "seed was 0 and is 3 now; bench.steps was 20 and is 50 now"; of many the first ones, and how many more there are.
std::string changeWords(const std::vector<SpecChange>& changes);
// "--set seed=0 --set bench.steps=20": what brings the earlier values back.
std::string settingsOfThen(const std::vector<SpecChange>& changes);

} // namespace voxlab
