// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/ncu_source.h"
#include "core/analysis/counters.h"
#include "core/base/files.h"
#include "core/profiling/child_process.h"
#include "core/profiling/gzip_file.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

constexpr const char* kSections[] = {"SpeedOfLight",   "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "SchedulerStats",
                                     "WarpStateStats", "InstructionStats",        "LaunchStats",            "Occupancy"};

bool isProgram(const fs::path& file) {
  std::error_code ec;
  return !file.empty() && fs::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0;
}

// Nsight Compute's own folder carries its version; the newest is the last.
std::vector<fs::path> usualPlaces() {
  std::vector<fs::path> places{"/usr/local/cuda/bin/ncu"};
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator("/opt/nvidia/nsight-compute", ec))
    places.push_back(entry.path() / "ncu");
  std::sort(places.begin() + 1, places.end(), std::greater<>());
  return places;
}

std::string metricList() {
  std::string list;
  for (const CounterInfo& row : counterTable())
    if (!row.metric.empty())
      list += (list.empty() ? "" : ",") + std::string(row.metric);
  return list;
}

std::vector<std::string> collectCommand(const fs::path& ncu, const NcuOrder& order, const fs::path& report) {
  std::vector<std::string> command{ncu.string(), "--profile-from-start", "off",          "--clock-control", "none", "--nvtx",
                                   "--metrics",  metricList(),          "--export",     report.string(),   "--force-overwrite"};
  for (const char* section : kSections) {
    command.emplace_back("--section");
    command.emplace_back(section);
  }
  command.insert(command.end(), order.command.begin(), order.command.end());
  return command;
}

// What Nsight Compute says while it works, as far as it matters.
class Conversation {
public:
  explicit Conversation(const NcuOrder& order, const NcuHooks& hooks) : m_order(order), m_hooks(hooks) {}

  void hear(const std::string& line) {
    if (line.find("ERR_NVGPUCTRPERM") != std::string::npos)
      m_forbidden = true;
    if (line.starts_with("==ERROR==") && m_error.empty())
      m_error = line.substr(10);
    if (!line.starts_with("==") && !line.empty())
      m_last = line;
    if (!line.starts_with("==PROF== Profiling"))
      return;
    ++m_launches;
    if (m_hooks.progress && m_order.expectedLaunches > 0)
      m_hooks.progress(std::min(1.0, static_cast<double>(m_launches) / static_cast<double>(m_order.expectedLaunches)));
  }

  Status judge(int exitCode, bool reportThere) const {
    if (m_forbidden)
      return fail(ExitCode::Data, std::string("The driver allows hardware counters to administrators only (ERR_NVGPUCTRPERM): see "
                                              "NVreg_RestrictProfilingToAdminUsers, or run as root.") + kInsteadOfCounters);
    if (exitCode == 0 && reportThere && m_launches > 0)
      return {};
    std::string why = !m_error.empty() ? m_error : !m_last.empty() && exitCode != 0 ? m_last : "it collected nothing";
    return fail(ExitCode::Data, "Nsight Compute gave no counters (exit code " + std::to_string(exitCode) + "): " + why + "." + kInsteadOfCounters);
  }

private:
  const NcuOrder& m_order;
  const NcuHooks& m_hooks;
  bool m_forbidden = false;
  std::string m_error, m_last;
  std::size_t m_launches = 0;
};

Status writePage(const fs::path& ncu, const fs::path& report, const std::string& page, const fs::path& file, const NcuHooks& hooks) {
  const fs::path plain = file.parent_path() / ("." + temporaryBeside(file).filename().string());
  std::ofstream out(plain);
  const auto ended = runProgram({ncu.string(), "--import", report.string(), "--csv", "--page", page},
                                {[&](const std::string& line) { out << line << '\n'; }, hooks.stop});
  out.close();
  Status status = ended ? Status() : fail(ended.error());
  if (ended && (*ended != 0 || !out))
    status = fail(ExitCode::Data, "Nsight Compute could not write the page \"" + page + "\" of " + report.string() + ".");
  if (status)
    status = gzipFile(plain, file);
  std::error_code ec;
  fs::remove(plain, ec);
  return status;
}

fs::path with(const fs::path& name, const char* ending) {
  return name.string() + ending;
}
} // namespace

Result<fs::path> findNcu() {
  if (const char* given = std::getenv("VOXLAB_NCU"); given && *given) {
    if (isProgram(given))
      return fs::path(given);
    return fail(ExitCode::Data, std::string("VOXLAB_NCU names ") + given + ", which is no program." + kInsteadOfCounters);
  }
  if (const fs::path found = onPath("ncu"); isProgram(found))
    return found;
  for (const fs::path& place : usualPlaces())
    if (isProgram(place))
      return place;
  return fail(ExitCode::Data, std::string("Nsight Compute (ncu) was not found; install it or name it with VOXLAB_NCU.") + kInsteadOfCounters);
}

Status collectCounters(const fs::path& ncu, const NcuOrder& order, const NcuHooks& hooks) {
  const fs::path report = with(order.pages, ".ncu-rep");
  std::error_code ec;
  fs::create_directories(report.parent_path(), ec);
  Conversation conversation(order, hooks);
  const auto ended = runProgram(collectCommand(ncu, order, report),
                                {[&](const std::string& line) { conversation.hear(line); }, hooks.stop});
  if (!ended)
    return fail(ended.error());
  if (Status judged = conversation.judge(*ended, fs::exists(report, ec)); !judged)
    return judged;
  if (Status raw = writePage(ncu, report, "raw", with(order.pages, ".raw.csv.gz"), hooks); !raw)
    return raw;
  return writePage(ncu, report, "details", with(order.pages, ".details.csv.gz"), hooks);
}

} // namespace voxlab
