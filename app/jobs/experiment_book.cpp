// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/experiment_book.h"
#include "app/jobs/run_store.h"
#include "core/base/files.h"
#include "core/protocol/version.h"
#include "widgets/base/when_done.h"
#include <QtConcurrent>
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
namespace fs = std::filesystem;


Json listOf(const QStringList& ids) {
  Json list = Json::array();
  for (const QString& id : ids)
    list.push_back(id.toStdString());
  return list;
}

Json toJson(const ExperimentRecord& record) {
  return {{"schema", schemaVersion()},       {"title", record.title.toStdString()}, {"created", record.created.toStdString()},
          {"runs", listOf(record.runs)},     {"resumed", listOf(record.resumed)},   {"stopped", record.isStopped}};
}

std::optional<ExperimentRecord> recordFrom(const fs::path& file) {
  const auto json = readJsonFile(file);
  if (!json || !json->is_object() || !checkSchema(*json, "experiment"))
    return std::nullopt;
  const auto list = [&](const char* key) {
    QStringList ids;
    for (const std::string& id : jsonGet<std::vector<std::string>>(*json, key).value_or(std::vector<std::string>{}))
      ids << QString::fromStdString(id);
    return ids;
  };
  ExperimentRecord record;
  record.id = QString::fromStdString(file.stem().string());
  record.title = QString::fromStdString(jsonGet<std::string>(*json, "title").value_or(""));
  record.created = QString::fromStdString(jsonGet<std::string>(*json, "created").value_or(""));
  record.runs = list("runs");
  record.resumed = list("resumed");
  record.isStopped = jsonGet<bool>(*json, "stopped").value_or(false);
  return record;
}

bool isOver(RunOutcome outcome) { return outcome != RunOutcome::Waiting && outcome != RunOutcome::Running && outcome != RunOutcome::Unknown; }
} // namespace

ExperimentBook::ExperimentBook(JobController& controller, JobQueue& queue, RunStore& store, QObject* parent)
    : QObject(parent), m_controller(controller), m_queue(queue), m_store(store) {
  m_writer.setMaxThreadCount(1);
  connect(&m_queue, &JobQueue::aboutToServe, this, &ExperimentBook::goOn);
  connect(&m_store, &RunStore::scanned, this, &ExperimentBook::changed);
}

fs::path ExperimentBook::folder() const { return m_store.folder() / "experiments"; }

void ExperimentBook::open() {
  m_writer.waitForDone();
  m_records.clear();
  std::error_code ec;
  for (fs::directory_iterator it(folder(), ec), end; !ec && it != end; it.increment(ec))
    if (it->path().extension() == ".json" && !it->path().filename().string().starts_with('.'))
      if (auto record = recordFrom(it->path()))
        m_records << *record;
  std::sort(m_records.begin(), m_records.end(), [](const ExperimentRecord& a, const ExperimentRecord& b) { return a.created > b.created; });
  emit changed();
}

// A job that reads another's results is told where they will lie.
Result<ExperimentBook::Made> ExperimentBook::makeRuns(const fs::path& runs, const QString& title, const std::vector<PlannedJob>& jobs, const Catalog& catalog, const QString& target) {
  Made made;
  made.record.title = title;
  made.record.created = QString::fromStdString(utcNow());
  std::map<std::string, fs::path> byName;
  for (const PlannedJob& job : jobs) {
    JobSpec spec = job.spec;
    if (!job.after.empty())
      spec.set("quality.synthetic", byName[job.after].string());
    if (!job.reference.empty())
      spec.set("quality.reference", byName[job.reference].string());
    spec.fillDefaults(catalog);
    RunInfo info;
    info.kind = spec.kind();
    info.title = job.title;
    info.mode = spec.get<std::string>("mode");
    info.target = target.toStdString();
    const auto run = RunDirectory::create(runs, spec, info);
    if (!run) {
      std::error_code ec;
      for (const fs::path& path : made.runs)
        fs::remove_all(path, ec);
      return fail(run.error());
    }
    byName[job.name] = run->path();
    made.runs.push_back(run->path());
    made.record.runs << QString::fromStdString(run->id());
  }
  made.record.id = made.record.runs.isEmpty() ? QString() : made.record.runs.first();
  if (const Status written = writeJsonFile(runs / "experiments" / (made.record.id.toStdString() + ".json"), toJson(made.record)); !written)
    return fail(written.error());
  return made;
}

void ExperimentBook::start(const QString& title, const std::vector<PlannedJob>& jobs, const Catalog& catalog) {
  whenDone(QtConcurrent::run([runs = m_store.folder(), title, jobs, catalog, target = m_controller.targetName()] { return makeRuns(runs, title, jobs, catalog, target); }), this, [this](const Result<Made>& made) {
        if (!made) {
          emit failed(QString::fromStdString(made.error().message));
          return;
        }
        m_records.prepend(made->record);
        m_queue.addMade(made->record.runs);
        m_store.scanSoon();
        emit started(made->record.id, static_cast<int>(made->record.runs.size()));
        emit changed();
      });
}

void ExperimentBook::stop(const QString& id) {
  for (ExperimentRecord& record : m_records) {
    if (record.id != id || record.isStopped)
      continue;
    record.isStopped = true;
    save(record);
    for (const QString& run : record.runs)
      m_queue.remove(run);
  }
  emit changed();
}

void ExperimentBook::save(const ExperimentRecord& record) {
  whenDone(QtConcurrent::run(&m_writer, [file = folder() / (record.id.toStdString() + ".json"), json = toJson(record)] { return writeJsonFile(file, json); }), this, [this](const Status& written) {
    if (!written)
      emit failed(QString::fromStdString(written.error().message));
  });
}

// Before the queue chooses: what should wait waits, and what vanished is taken up again, before those that read its results.
void ExperimentBook::goOn() {
  for (ExperimentRecord& record : m_records) {
    if (record.isStopped)
      continue;
    QStringList waiting, vanished;
    for (const QString& id : record.runs) {
      const RunListing* run = m_store.find(id.toStdString());
      if (!run || m_queue.ids().contains(id) || m_queue.wasRemoved(id) || m_controller.isStarting(id))
        continue;
      if (run->outcome == RunOutcome::Waiting) {
        waiting << id;
      } else if (run->outcome == RunOutcome::Lost && !record.resumed.contains(id)) {
        vanished << id;
        record.resumed << id;
        save(record);
      }
    }
    if (!waiting.isEmpty())
      m_queue.addMade(waiting);
    if (!vanished.isEmpty())
      m_queue.addMade(vanished, JobQueue::Place::Front);
  }
}

QList<ExperimentStanding> ExperimentBook::standings() const {
  QList<ExperimentStanding> standings;
  for (const ExperimentRecord& record : m_records) {
    ExperimentStanding standing{record.id, record.title, {}, 0, 0, 0, false};
    bool anyWaits = false;
    for (const QString& id : record.runs) {
      const RunListing* run = m_store.find(id.toStdString());
      if (!run)
        continue;
      ++standing.total;
      const bool comesBack = run->outcome == RunOutcome::Lost && m_queue.ids().contains(id);
      if (isOver(run->outcome) && !comesBack) {
        ++standing.done;
        standing.failed += run->outcome == RunOutcome::Failed || run->outcome == RunOutcome::Lost ? 1 : 0;
      } else if (run->outcome == RunOutcome::Running) {
        standing.now = QString::fromStdString(run->info.title);
        anyWaits = true;
      } else {
        anyWaits = true;
      }
    }
    standing.isOver = record.isStopped ? standing.now.isEmpty() : !anyWaits && m_store.isScanned() && standing.total > 0;
    if (standing.total > 0)
      standings << standing;
  }
  return standings;
}

} // namespace voxlab
