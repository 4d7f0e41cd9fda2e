// SPDX-License-Identifier: GPL-3.0-or-later
// A sampling job that differs from the one that drew a sample in its mask alone.
#pragma once
#include "app/jobs/run_store.h"
#include "core/protocol/catalog.h"
#include <QString>

namespace voxlab {

struct SamplingAgain {
  JobSpec spec;  // whole: with the defaults of what nobody tells
  QString lacks; // why it cannot be started as it is, in a sentence; empty when it can
};

// `sample`: the JSON beside it, empty where none is looked at; `run`: that drew it, or that is chosen; null if none.
SamplingAgain samplingAgain(const Json& sample, const RunListing* run, const Catalog& catalog, const QString& mask);

// "dpm_solver, 15 steps, 32 × 32 × 32, seed 1".
QString samplingSettings(const JobSpec& spec);

} // namespace voxlab
