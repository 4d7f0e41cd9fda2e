// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

Json versions(); // voxlab, commit, torch, cuda, cudnn, itk, protocol, compiler: what this program was built with

// A line of environment.jsonl: host, processor, versions, device and the switches that are in effect. Sets the number of CPU
// threads that the specification asks for.
Json environmentOf(const JobSpec& spec);

std::string processorName(); // "" when unknown
std::int64_t memoryBytes();  // of the machine

} // namespace voxlab
