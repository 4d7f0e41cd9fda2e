// SPDX-License-Identifier: Apache-2.0
// Recordings of other programs as runs.
#pragma once
#include "app/worker/verbs.h"

namespace voxlab {

enum class ImportedFile { Unknown, Weights, Trace, Counters };

// Told by the name; by the content where that says nothing. Folders are weights.
ImportedFile kindOfImport(const Path& file);

// A run with copies of a trace (may be empty) and of counter pages that belong to it or together; its path is printed. Throws
// Failure: Data when a file is broken, naming it and the place, Stopped when asked to by a signal; then no run is left.
void importProfile(const Path& trace, const std::vector<Path>& counterPages, const Path& runs);

} // namespace voxlab
