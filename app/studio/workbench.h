// SPDX-License-Identifier: GPL-3.0-or-later
// The studio's jobs, seen from the window: what app/jobs knows, in the shape in which the pages show it. No widgets here.
#pragma once
#include "app/jobs/catalog_loader.h"
#include "app/jobs/compute_target.h"
#include "app/jobs/dataset_checker.h"
#include "app/jobs/event_follower.h"
#include "app/jobs/experiment_book.h"
#include "app/jobs/job_controller.h"
#include "app/jobs/job_queue.h"
#include "app/jobs/run_store.h"
#include "app/studio/settings.h"
#include "widgets/models/run_table_model.h"
#include "widgets/pages/field_editor.h"
#include "widgets/pages/run_header.h"
#include "widgets/pages/runs_panel.h"

namespace voxlab {

class Workbench : public QObject {
  Q_OBJECT
public:
  explicit Workbench(Settings& settings, QObject* parent = nullptr);
  void begin(); // looks at the runs folder, asks the worker what it can do

  RunTableModel* runs() const { return m_model; }
  RunStore& store() { return m_store; }
  const RunStore& store() const { return m_store; }
  JobController& controller() { return *m_controller; }
  JobQueue& queue() { return *m_queue; }
  ExperimentBook& experiments() { return *m_experiments; }
  CatalogLoader& loader() { return *m_loader; }
  DatasetChecker& datasets() { return *m_datasets; }
  EventFollower& follower() { return m_follower; }
  const Catalog& catalog() const { return m_catalog; }
  bool hasCatalog() const { return !m_catalog.parameters.empty(); }
  const ComputeTarget& target() const { return *m_target; }

  // The run that the pages show.
  QString currentId() const { return m_current; }
  bool isOpening() const { return !m_wanted.isEmpty() || (!m_current.isEmpty() && !m_follower.state()); }
  void show(QString runId); // empty: none
  const RunListing* current() const;
  static QString titleOf(const RunListing& run);
  RunHeading heading() const;
  QString commandForSpace() const; // "pause", "resume" or nothing

  void launch(const JobSpec& spec);
  void enqueue(const JobSpec& spec);
  void request(const QString& command); // of the current run
  void restart(const QString& runId);   // from its last checkpoint, or from the beginning
  bool open(const QString& runFolder);  // a run that may lie elsewhere; false if it is none
  static bool looksLikeBundle(const QString& file); // NAME.voxrun
  void openBundle(const QString& file); // unpacks its runs beside the others; bundleOpened or trouble tells the end
  bool isUnpacking() const { return m_unpacking > 0; }
  void removeRuns(const QStringList& ids);
  QList<QueueRow> queueRows() const;
  QList<Suggestion> checkpointSuggestions() const; // starter weights and checkpoints of the runs

  void useRunsFolder(const QString& folder);
  void useWorker(const QString& path);

signals:
  void runsFolderChanged(const QString& folder);
  void currentChanged();      // another run, or none
  void currentGrew();         // its state has more in it
  void headingChanged();
  void catalogChanged();
  void catalogFailed(const QString& message);
  void runLaunched(const QString& runId);
  void runEnded(const QString& runId);
  void bundleOpened(const QStringList& runs, int alreadyThere); // ids
  void trouble(const QString& message, const QString& runId); // something that was asked for could not be done

private:
  void takeScan();
  void connectJobs();
  void follow();
  void chooseFirst();

  Settings& m_settings;
  std::shared_ptr<const ComputeTarget> m_target;
  RunStore m_store;
  EventFollower m_follower;
  JobController* m_controller;
  JobQueue* m_queue;
  ExperimentBook* m_experiments;
  CatalogLoader* m_loader;
  DatasetChecker* m_datasets;
  RunTableModel* m_model;
  Catalog m_catalog;
  QString m_current, m_wanted; // wanted: to be shown as soon as it is known
  int m_unpacking = 0;
  bool m_hasChosen = false; // until then a live run is taken by itself
};

} // namespace voxlab
