// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace voxlab {

// From now on memory of 4 MB and more comes straight from the system and goes back when it is freed. Left alone, glibc takes ever
// larger blocks from its arenas (up to 32 MB), one arena a thread, and what a thread freed last stays with its arena: a program that
// reads volumes on changing threads kept some tens of MB of those it had closed. To be called first in main.
void giveLargeBlocksBack();

} // namespace voxlab
