// SPDX-License-Identifier: Apache-2.0
// Chrome traces as Kineto (PyTorch's and LibTorch's profiler) and others write them, plain or gzip, of any size.
#pragma once
#include "core/analysis/trace.h"
#include "core/base/byte_source.h"
#include <functional>
#include <stop_token>

namespace voxlab {

struct TraceOptions {
  std::stop_token cancel;                    // asked every quarter of a megabyte and between the stages of attribution
  std::function<void(double)> progress;      // 0…1, called from the reading thread
  std::size_t memoryLimitBytes = 4ull << 30; // of the event tables
};

// Reads the events, then works out which operator, module, phase and step each GPU event belongs to (trace_attribution.h).
// Of a recording of several GPUs the one that worked longest is kept, with a note.
// Takes an object with traceEvents or a bare array of events. Fails with Data on a file that is missing, broken (naming the byte
// and what is wrong there), not a trace or larger than the limit; with Stopped when cancelled.
Result<Trace> readTrace(const std::filesystem::path& file, const TraceOptions& options = {});
Result<Trace> readTrace(ByteSource& source, const TraceOptions& options = {});

} // namespace voxlab
