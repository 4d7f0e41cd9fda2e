// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/trace.h"

namespace voxlab {

// Kernels, copies and fills of a replayed CUDA graph carry no operator and no module. Takes both, the operator's inputs and the phase from an eager
// trace of the same work, where their order by name agrees with that of the eager trace's first whole step. Returns how
// many events it filled in; those that already have an operator are left alone. Host events are not added: nothing was called.
std::size_t adoptAttribution(Trace& replayed, const Trace& eager);

} // namespace voxlab
