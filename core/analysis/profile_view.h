// SPDX-License-Identifier: Apache-2.0
// What all views of a profile show of one selection, worked out together away from the GUI's thread.
#pragma once
#include "core/analysis/counters.h"
#include "core/analysis/module_tree.h"
#include "core/analysis/priority.h"
#include "core/analysis/profile.h"
#include "core/analysis/roofline.h"
#include <stop_token>

namespace voxlab {

struct ProfileQuery {
  EventFilter filter;
  KernelGrouping grouping = KernelGrouping::Kernel;
};

// Each view shows the selection; those in which a part of it is chosen (categories, modules, time) leave out that part, so that the
// alternatives stay in sight.
struct ProfileView {
  ProfileQuery query;
  std::vector<KernelGroup> groups;
  StepBreakdown parts;              // a step, whatever its category; with idle time when nothing but time and categories is selected
  std::vector<StepBreakdown> steps; // the same, whatever the time: one for each step of the trace
  bool hasIdle = false;             // parts and steps add up to the wall time
  ModuleNode modules;               // whatever the module; by operator where the trace names no modules
  std::optional<Roofline> roofline; // of devices whose ceilings are known
  std::vector<PriorityItem> priorities;
  std::string withoutGain; // why nothing can be gained, where that is so
  CounterAggregate counters;
  std::unique_ptr<const EventTimeline> timeline; // whatever the time; nullptr: everything (Profile::timeline)
  bool isOfSteps = true;                         // false of counters alone: sums are over what was collected
  double stepCount = 1;                          // that "a step" was divided by
  double selected_ms = 0;                        // a step: GPU time of the selection
  std::uint64_t launches = 0;                    // of the selection, in all
};

// nullptr when stopped.
std::shared_ptr<const ProfileView> viewOf(const Profile& profile, const ProfileQuery& query, std::stop_token stop = {});

} // namespace voxlab
