// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/catalog.h"

namespace voxlab::fake {

// The real parameters, with made-up modes, samplers and devices; one mode is unavailable.
Catalog catalog();

} // namespace voxlab::fake
