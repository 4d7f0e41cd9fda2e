// SPDX-License-Identifier: GPL-3.0-or-later
// All runs of a folder, looked at again and again in the background. Live runs are told by their lock.
#pragma once
#include "core/analysis/run_state.h"
#include "core/protocol/run_directory.h"
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <vector>

namespace voxlab {

struct RunListing {
  std::string id;
  std::filesystem::path path;
  RunInfo info;
  JobSpec spec;
  RunOutcome outcome = RunOutcome::Unknown;
  RunPhase phase = RunPhase::Unknown;
  std::int64_t step = 0;
  std::optional<std::int64_t> totalSteps;
  std::optional<double> fraction;
  std::string message; // why it ended
  std::filesystem::path newestCheckpoint; // empty: none
  bool hasCheckpoint() const { return !newestCheckpoint.empty(); }
};

class RunStore : public QObject {
  Q_OBJECT
public:
  explicit RunStore(QObject* parent = nullptr);
  ~RunStore() override;

  void setFolder(const std::filesystem::path& runs); // made if it is not there
  const std::filesystem::path& folder() const { return m_folder; }
  // Runs that lie elsewhere and are shown too: opened files, examples.
  void addOutside(const std::filesystem::path& run);
  const std::vector<RunListing>& runs() const { return m_runs; }
  const RunListing* find(const std::string& id) const; // nullptr if there is none
  bool isScanned() const { return m_scanned; }

public slots:
  void scanSoon(); // something is known to have changed

signals:
  void scanned(); // after every scan that found a change, and after the first one
  // A run that was waiting or live in the scan before, or came since, has ended.
  void ended(const QString& id);

private:
  struct Cache;
  void scan();
  void take(int generation, std::vector<RunListing> runs);

  std::filesystem::path m_folder;
  std::vector<std::filesystem::path> m_outside;
  std::vector<RunListing> m_runs;
  std::shared_ptr<Cache> m_cache; // used by one scan at a time
  QFileSystemWatcher m_watcher;
  QTimer m_timer;
  bool m_scanning = false, m_again = false, m_scanned = false;
  int m_generation = 0;
  std::string m_since; // when the folder was first looked at
};

} // namespace voxlab
