// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/kineto_source.h"
#include "core/analysis/statistics.h"
#include "core/base/failure.h"
#include "core/base/files.h"
#include "core/profiling/gzip_file.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
namespace profiler = torch::profiler::impl;
namespace kineto = torch::autograd::profiler;

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::strcmp(value, "0") != 0;
}

// Tools that inject themselves into a process say so here; there can be only one client of CUPTI.
bool underAnotherProfiler() {
  return isSet("NVTX_INJECTION64_PATH") || isSet("CUDA_INJECTION64_PATH");
}

// Kineto may take CUPTI down after a window and up again before the next, which has crashed replays of CUDA graphs. Both are asked
// for when a window opens, so this has to come before the first.
void keepCuptiBetweenWindows() {
  ::setenv("TEARDOWN_CUPTI", "0", 1);
  ::setenv("DISABLE_CUPTI_LAZY_REINIT", "1", 1);
}

std::set<profiler::ActivityType> activities(TraceDetail detail, c10::DeviceType device) {
  if (device != c10::kCUDA)
    return {profiler::ActivityType::CPU};
  if (detail == TraceDetail::KernelsOnly)
    return {profiler::ActivityType::CUDA};
  return {profiler::ActivityType::CPU, profiler::ActivityType::CUDA};
}

// What is written to stderr meanwhile is dropped.
class QuietErrors {
public:
  QuietErrors() : m_kept(::dup(STDERR_FILENO)) {
    std::fflush(stderr);
    if (const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nothing >= 0) {
      ::dup2(nothing, STDERR_FILENO);
      ::close(nothing);
    }
  }
  ~QuietErrors() {
    if (m_kept < 0)
      return;
    ::dup2(m_kept, STDERR_FILENO);
    ::close(m_kept);
  }

private:
  int m_kept;
};

std::unordered_set<at::RecordScope> recordedScopes() {
  return {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE};
}
} // namespace

std::string recordingMissing() {
  if (underAnotherProfiler())
    return "Another profiler watches this process, and there can be only one: start the job without it.";
  if (profiler::profilerEnabled())
    return "A recording is under way already.";
  return {};
}

KinetoWindow::KinetoWindow(TraceDetail detail, c10::DeviceType device) {
  if (const std::string missing = recordingMissing(); !missing.empty())
    throw Failure(ExitCode::Usage, missing);
  keepCuptiBetweenWindows();
  const bool shapes = detail == TraceDetail::Operators;
  const profiler::ProfilerConfig config(profiler::ProfilerState::KINETO, shapes);
  const auto wanted = activities(detail, device);
  std::optional<QuietErrors> quiet; // Kineto asks for GPUs, and says so where there are none
  if (device != c10::kCUDA)
    quiet.emplace();
  kineto::prepareProfiler(config, wanted);
  kineto::enableProfiler(config, wanted, recordedScopes());
  m_open = true;
}

KinetoWindow::~KinetoWindow() {
  if (!m_open)
    return;
  try {
    kineto::disableProfiler();
  } catch (...) { // it was not recording any more
  }
}

Status KinetoWindow::save(const fs::path& file) {
  m_open = false;
  const auto result = kineto::disableProfiler();
  const bool compressed = file.extension() == ".gz";
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  // Hidden, and with the ending that Kineto goes by.
  const fs::path plain = file.parent_path() / ("." + temporaryBeside(file).filename().string() + ".json");
  {
    const QuietErrors quiet; // whether it wrote is asked below
    result->save(plain.string());
  }
  if (!fs::exists(plain, ec))
    return fail(ExitCode::Data, "The recording could not be written to " + file.parent_path().string() + ".");
  Status written = compressed ? gzipFile(plain, file) : renameIntoPlace(plain, file);
  fs::remove(plain, ec);
  return written;
}

KernelTime KinetoWindow::kernelTime() {
  m_open = false;
  const auto result = kineto::disableProfiler();
  KernelTime time;
  std::vector<std::pair<double, double>> intervals; // ms
  for (const auto& event : result->events())
    if (event.deviceType() == c10::DeviceType::CUDA) {
      const double begin = static_cast<double>(event.startNs()) * 1e-6;
      intervals.emplace_back(begin, begin + static_cast<double>(event.durationNs()) * 1e-6);
      ++time.launches;
    }
  time.busy_ms = unionLength(std::move(intervals));
  return time;
}

NvtxRanges::NvtxRanges(c10::DeviceType device) {
  if (device != c10::kCUDA || (!underAnotherProfiler() && !isSet("VOXLAB_NVTX")) || profiler::profilerEnabled())
    return;
  const profiler::ProfilerConfig config(profiler::ProfilerState::NVTX);
  kineto::enableProfiler(config, {}, recordedScopes());
  m_active = true;
}

NvtxRanges::~NvtxRanges() {
  try {
    if (m_active)
      kineto::disableProfiler();
  } catch (...) { // nothing is lost
  }
}

} // namespace voxlab
