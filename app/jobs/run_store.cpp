// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/run_store.h"
#include "core/base/files.h"
#include "core/protocol/event_reader.h"
#include "widgets/base/when_done.h"
#include <QtConcurrent>
#include <map>

namespace voxlab {
namespace {
constexpr int kScanInterval_ms = 1500;
constexpr std::uint64_t kTailBytes = 64 * 1024; // of a run's events that the list needs
namespace fs = std::filesystem;

std::uintmax_t sizeOf(const fs::path& file) {
  std::error_code ec;
  const auto size = fs::file_size(file, ec);
  return ec ? 0 : size;
}

bool sameListing(const RunListing& a, const RunListing& b) {
  return a.id == b.id && a.outcome == b.outcome && a.phase == b.phase && a.step == b.step && a.totalSteps == b.totalSteps && a.fraction == b.fraction &&
         a.message == b.message && a.newestCheckpoint == b.newestCheckpoint;
}
} // namespace

// What does not change, and what need not be read again while the events have not grown.
struct RunStore::Cache {
  struct Entry {
    RunListing listing;
    std::uintmax_t eventsSize = 0;
    std::unique_ptr<LineReader> reader;
    RunState state;
    bool seen = false;
  };
  std::map<fs::path, Entry> entries;

  // The newest events are enough for a line in the list; the first line says what the run is about.
  static void beginReading(Entry& entry, const RunDirectory& run) {
    const auto size = sizeOf(run.eventsFile());
    if (size <= kTailBytes) {
      entry.reader = std::make_unique<LineReader>(run.eventsFile());
      return;
    }
    LineReader first(run.eventsFile());
    if (const auto lines = first.poll(1); lines && !lines->empty())
      if (const auto event = eventFromJson(lines->front()))
        (void)entry.state.apply(*event);
    // Half a line at the cut is skipped and counted, as any line that is not JSON.
    entry.reader = std::make_unique<LineReader>(run.eventsFile(), size - kTailBytes);
  }

  static void readEvents(Entry& entry, const RunDirectory& run) {
    const auto size = sizeOf(run.eventsFile());
    if (entry.reader && size == entry.eventsSize)
      return;
    if (!entry.reader || size < entry.eventsSize) {
      entry.state = RunState();
      beginReading(entry, run);
    }
    entry.eventsSize = size;
    const auto lines = entry.reader->poll();
    if (!lines) {
      entry.listing.message = lines.error().message;
      return;
    }
    for (const Json& line : *lines)
      if (const auto event = eventFromJson(line); event && check(*event) == EventCheck::Fine)
        if (const auto applied = entry.state.apply(*event); !applied)
          entry.listing.message = applied.error().message;
  }

  static std::string reason(const Entry& entry, const RunDirectory& run) {
    if (entry.listing.outcome != RunOutcome::Lost)
      return entry.state.endMessage();
    const std::string tail = run.logTail(512);
    std::string last;
    for (std::size_t from = 0; from < tail.size();) {
      const auto end = std::min(tail.find('\n', from), tail.size());
      if (end > from)
        last = tail.substr(from, end - from);
      from = end + 1;
    }
    const QString line = QString::fromUtf8(last.c_str());
    if (!last.empty() && last.find(" info: ") == std::string::npos) // a complaint: of the worker, a library or the system
      return QObject::tr("The worker is gone after saying: %1").arg(line).toStdString();
    const QString cause = QObject::tr("The worker is gone without a word: it was killed, by somebody or by the system where memory ran out, or the computer went down.");
    return (last.empty() ? cause : QObject::tr("%1 The last line of its log: %2").arg(cause, line)).toStdString();
  }

  std::optional<RunListing> look(const fs::path& path) {
    Entry& entry = entries[path];
    entry.seen = true;
    const RunDirectory run(path);
    RunListing& listing = entry.listing;
    if (listing.id.empty()) {
      const auto info = run.info();
      if (!info)
        return std::nullopt; // not one yet, or broken
      listing.id = run.id();
      listing.path = path;
      listing.info = *info;
      if (auto spec = run.spec())
        listing.spec = std::move(*spec);
    }
    listing.outcome = run.outcome();
    if (listing.outcome == RunOutcome::Unknown) // gone since
      return std::nullopt;
    readEvents(entry, run);
    listing.phase = entry.state.phase();
    listing.step = entry.state.step();
    listing.totalSteps = entry.state.totalSteps();
    listing.fraction = entry.state.fractionDone();
    listing.newestCheckpoint = run.newestCheckpoint().value_or(fs::path());
    listing.message = listing.outcome == RunOutcome::Running ? std::string() : reason(entry, run);
    return listing;
  }

  std::vector<RunListing> lookAtAll(const fs::path& folder, const std::vector<fs::path>& outside) {
    for (auto& [path, entry] : entries)
      entry.seen = false;
    std::vector<RunListing> runs;
    std::vector<fs::path> paths(outside);
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec))
      if (!isTemporary(it->path()) && RunDirectory::looksLikeRun(it->path()))
        paths.push_back(it->path());
    for (const fs::path& path : paths)
      try {
        if (auto listing = look(path))
          runs.push_back(std::move(*listing));
      } catch (const std::exception&) { // a folder that is just being removed; one bad run must not hide the others
        entries.erase(path);
      }
    std::erase_if(entries, [](const auto& item) { return !item.second.seen; });
    return runs;
  }
};

RunStore::RunStore(QObject* parent) : QObject(parent), m_cache(std::make_shared<Cache>()) {
  m_timer.setInterval(kScanInterval_ms);
  connect(&m_timer, &QTimer::timeout, this, &RunStore::scan);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &RunStore::scanSoon);
}

RunStore::~RunStore() = default;

void RunStore::setFolder(const fs::path& runs) {
  m_folder = runs;
  ++m_generation;
  m_runs.clear();
  m_cache = std::make_shared<Cache>();
  m_scanned = false;
  m_since = utcNow();
  std::error_code ec;
  fs::create_directories(m_folder, ec); // when it fails, the list stays empty and starting a job says why
  if (!m_watcher.directories().isEmpty())
    m_watcher.removePaths(m_watcher.directories());
  m_watcher.addPath(QString::fromStdString(m_folder.string()));
  m_timer.start();
  scanSoon();
}

void RunStore::addOutside(const fs::path& run) {
  if (std::find(m_outside.begin(), m_outside.end(), run) == m_outside.end())
    m_outside.push_back(run);
  scanSoon();
}

const RunListing* RunStore::find(const std::string& id) const {
  for (const RunListing& run : m_runs)
    if (run.id == id)
      return &run;
  return nullptr;
}

void RunStore::scanSoon() { QMetaObject::invokeMethod(this, &RunStore::scan, Qt::QueuedConnection); }

void RunStore::scan() {
  if (m_scanning) {
    m_again = true;
    return;
  }
  m_scanning = true;
  const int generation = m_generation;
  whenDone(QtConcurrent::run([cache = m_cache, folder = m_folder, outside = m_outside] { return cache->lookAtAll(folder, outside); }), this, [this, generation](std::vector<RunListing> runs) { take(generation, std::move(runs)); });
}

void RunStore::take(int generation, std::vector<RunListing> runs) {
  m_scanning = false;
  if (m_again || generation != m_generation) {
    m_again = false;
    scanSoon();
  }
  if (generation != m_generation)
    return;
  std::vector<QString> endedNow;
  const auto isOver = [](RunOutcome o) { return o != RunOutcome::Running && o != RunOutcome::Waiting && o != RunOutcome::Unknown; };
  for (const RunListing& run : runs) {
    const RunListing* before = find(run.id);
    const bool wasOpen = before ? !isOver(before->outcome) : m_scanned && run.info.created >= m_since;
    if (wasOpen && isOver(run.outcome))
      endedNow.push_back(QString::fromStdString(run.id));
  }
  const bool changed = !std::equal(runs.begin(), runs.end(), m_runs.begin(), m_runs.end(), sameListing);
  m_runs = std::move(runs);
  const bool first = !m_scanned;
  m_scanned = true;
  if (changed || first)
    emit scanned();
  for (const QString& id : endedNow)
    emit ended(id);
}

} // namespace voxlab
