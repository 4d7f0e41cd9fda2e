// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/json.h"

namespace voxlab {

Json versions(); // voxlab, commit, torch, cuda, cudnn, itk, protocol, compiler: what this program was built with

Json machine(); // host, processor, memory_bytes: for environment.jsonl

std::string processorName(); // "" when unknown
std::int64_t memoryBytes();  // of the machine

} // namespace voxlab
