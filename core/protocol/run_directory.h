// SPDX-License-Identifier: Apache-2.0
// The run folder: the interface between the studio and the worker. Names and life cycle of its files.
#pragma once
#include "core/protocol/event_stream.h"
#include "core/protocol/events.h"
#include "core/protocol/job_spec.h"
#include "core/protocol/run_lock.h"

namespace voxlab {

// What the launcher writes once into run.json.
struct RunInfo {
  std::string id;    // folder name
  std::string kind;  // train, sample, bench, profile, verify, quality, import
  std::string title; // in words; may be empty
  std::string mode, target = "local";
  std::string parent;  // id of the run this one came from; may be empty
  std::string created; // ISO 8601 UTC
  Json versions = Json::object();
};

enum class RunOutcome { Unknown, Waiting, Running, Finished, Stopped, Failed, Lost };

class RunDirectory {
public:
  explicit RunDirectory(std::filesystem::path path) : m_path(path.has_filename() ? std::move(path) : path.parent_path()) {} // "run/" is "run"

  // Makes <runs>/<date>_<time>_<kind>_<mode>_<4 random letters>/ with run.json and spec.json; returns it. Empty members of
  // info (id, kind, mode, created) are filled in. The folder appears only when both files are in it.
  static Result<RunDirectory> create(const std::filesystem::path& runs, const JobSpec& spec, const RunInfo& info);
  // The same in a folder that is given (must be empty or absent, else Usage).
  static Result<RunDirectory> createAt(const std::filesystem::path& folder, const JobSpec& spec, const RunInfo& info);
  static bool looksLikeRun(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return m_path; }
  std::string id() const { return m_path.filename().string(); }
  std::filesystem::path runFile() const { return m_path / "run.json"; }
  std::filesystem::path specFile() const { return m_path / "spec.json"; }
  std::filesystem::path environmentFile() const { return m_path / "environment.jsonl"; }
  std::filesystem::path eventsFile() const { return m_path / "events.jsonl"; }
  std::filesystem::path controlFile() const { return m_path / "control.jsonl"; }
  std::filesystem::path lockFile() const { return m_path / "worker.lock"; }
  std::filesystem::path logFile() const { return m_path / "worker.log"; }
  std::filesystem::path summaryFile() const { return m_path / "summary.json"; }
  std::filesystem::path finishedFile() const { return m_path / "finished.json"; }
  std::filesystem::path checkpoints() const { return m_path / "checkpoints"; }
  std::filesystem::path checkpoint(std::int64_t step) const; // checkpoints/step_00001000
  std::filesystem::path samples(std::int64_t step) const;    // samples/step_00001000
  std::filesystem::path profiles() const { return m_path / "profiles"; }

  std::filesystem::path relative(const std::filesystem::path& file) const; // as paths are written in the run's files

  Result<RunInfo> info() const;
  Result<JobSpec> spec() const;
  // Finished checkpoint folders (with DONE) by step, ascending.
  std::vector<std::filesystem::path> finishedCheckpoints() const;
  std::optional<std::filesystem::path> newestCheckpoint() const;

  bool isLocked() const; // asks the lock, not a pid
  std::optional<LockHolder> lockHolder() const;
  // Running: locked. Otherwise what finished.json says; without it Lost when a worker has ever started, else Waiting.
  RunOutcome outcome() const;
  // Appends a request; returns its id.
  Result<std::string> request(std::string_view command, Json fields = Json::object()) const;
  std::string logTail(std::size_t maximumBytes = 8192) const;

private:
  std::filesystem::path m_path;
};

std::string_view nameOf(RunOutcome outcome); // "finished"
std::string utcNow();                        // "2026-01-31T14:25:30.123Z"; such texts order as their times do

} // namespace voxlab
