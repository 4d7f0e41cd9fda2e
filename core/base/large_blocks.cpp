// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_blocks.h"
#include <cstdlib> // says which C library this is
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace voxlab {

void giveLargeBlocksBack() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

} // namespace voxlab
