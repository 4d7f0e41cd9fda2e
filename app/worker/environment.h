// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/job_spec.h"

namespace voxlab {

Json versions(); // voxlab, commit, torch, cuda, cudnn, itk, protocol, compiler: what this program was built with

void useThreads(const JobSpec& spec); // as many CPU threads as the specification asks for

// What a line of environment.jsonl says of the machine: host, processor, threads, versions. The engine adds the device and
// the switches in effect.
Json environmentOf(const JobSpec& spec);

std::string processorName(); // "" when unknown
std::int64_t memoryBytes();  // of the machine

} // namespace voxlab
