// SPDX-License-Identifier: Apache-2.0
// What this process takes of the main memory.
#pragma once
#include <cstdint>

namespace voxlab {

enum class ProcessMemory { Resident, Peak };
std::uint64_t processMemory_bytes(ProcessMemory which); // 0 where the system does not tell

} // namespace voxlab
