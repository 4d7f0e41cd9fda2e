// SPDX-License-Identifier: GPL-3.0-or-later
// How the kernels page takes traces, in wall time: the first view of a recorded one; of one that is made by repeating it until it
// has a gigabyte and three million events, the memory it takes, how soon another trace is in sight while it is read, and how long a picture of the
// timeline takes while it is zoomed and moved.
//   voxlab-kernels-benchmark [TRACE [REPETITIONS]]
#include "core/base/json.h"
#include "core/base/large_blocks.h"
#include "tests/support/repeated_trace.h"
#include "tests/support/paths.h"
#include "tests/support/process_memory.h"
#include "tests/support/temporary_folder.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/plots/timeline_view.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <fstream>

using namespace voxlab;

namespace {
constexpr int kPatience_ms = 600'000;

double memory_mb(ProcessMemory which) { return static_cast<double>(processMemory_bytes(which)) / 1048576; }

double seconds(const QElapsedTimer& timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e9; }

// False where the disk is full. The trace has been read once already.
bool repeat(const std::filesystem::path& recorded, std::uint64_t repetitions, const std::filesystem::path& file) {
  std::string text;
  std::vector<char> buffer(1u << 20);
  const auto source = openByteSource(recorded).value();
  for (std::size_t count = source->read(buffer).value(); count > 0; count = source->read(buffer).value())
    text.append(buffer.data(), count);
  RepeatedTrace repeated(parseJson(text, recorded.string()).value(), repetitions);
  std::ofstream out(file, std::ios::binary);
  for (std::size_t count = repeated.read(buffer).value(); count > 0; count = repeated.read(buffer).value())
    out.write(buffer.data(), static_cast<std::streamsize>(count));
  std::printf("repeated %llu times          %.2f million events, %.2f GB\n", static_cast<unsigned long long>(repetitions), static_cast<double>(repeated.eventsRead()) / 1e6,
              static_cast<double>(repeated.bytesRead()) / 1e9);
  return out.good();
}

// Until every view of the page has been drawn.
double open(KernelsPage& page, const QString& file) {
  QSignalSpy shown(&page, &KernelsPage::viewShown), failed(&page, &KernelsPage::loadFailed);
  QElapsedTimer timer;
  timer.start();
  page.openFile(file);
  if (!QTest::qWaitFor([&] { return !shown.isEmpty() || !failed.isEmpty(); }, kPatience_ms) || !failed.isEmpty()) {
    std::fprintf(stderr, "%s\n", qUtf8Printable(page.problem()));
    std::exit(1);
  }
  page.grab();
  return seconds(timer);
}

// From the wish to see another trace to its view, while a long one is being read.
double change(KernelsPage& page, const QString& from, const QString& to) {
  QSignalSpy failed(&page, &KernelsPage::loadFailed);
  page.openFile(from);
  failed.wait(2000); // well inside the file by then
  return open(page, to);
}

void zoom(TimelineView& timeline) {
  const auto [first, last] = std::pair(timeline.window().first_ns(), timeline.window().last_ns());
  std::vector<double> times_ms;
  const auto picture = [&](std::int64_t from, std::int64_t to) {
    QElapsedTimer timer;
    timer.start();
    timeline.showRange(from, to);
    timeline.repaint();
    times_ms.push_back(seconds(timer) * 1000);
  };
  for (int place = 1; place < 10; ++place) {
    std::int64_t from = first, to = last;
    const std::int64_t middle = first + (last - first) / 10 * place;
    for (int i = 0; i < 60 && to - from > 2000; ++i) {
      from = middle - (middle - from) * 4 / 5;
      to = middle + (to - middle) * 4 / 5;
      picture(from, to);
    }
    for (int i = 0; i < 60; ++i) {
      from = std::max(first, middle - (middle - from) * 5 / 4 - 1);
      to = std::min(last, middle + (to - middle) * 5 / 4 + 1);
      picture(from, to);
    }
  }
  std::sort(times_ms.begin(), times_ms.end());
  std::printf("zooming, %zu pictures       %.1f ms in the median, %.1f ms the slowest\n", times_ms.size(), times_ms[times_ms.size() / 2], times_ms.back());
}
} // namespace

int main(int argc, char** argv) {
  giveLargeBlocksBack(); // as the studio does
  const TemporaryFolder folder;
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    qputenv(name, QByteArray::fromStdString((folder / name).string()));
  QApplication application(argc, argv);
  const std::filesystem::path recorded = argc > 1 ? std::filesystem::path(argv[1]) : testData() / "profiles" / "trace_opt1_128.json.gz";
  KernelsPage page;
  page.resize(1440, 900);
  page.show();
  if (!QTest::qWaitForWindowExposed(&page))
    return 1;
  std::printf("first view of %s   %.2f s\n", recorded.filename().c_str(), open(page, QString::fromStdString(recorded.string())));
  page.clear();
  const auto large = folder / "large.json";
  if (!repeat(recorded, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 115, large))
    return 1;
  const QString name = QString::fromStdString(large.string());
  std::printf("given up for another trace  %.2f s to the view of that\n", change(page, name, QString::fromStdString(recorded.string())));
  page.clear();
  const double before_mb = memory_mb(ProcessMemory::Resident);
  std::printf("its first view              %.1f s\n", open(page, name));
  std::printf("memory                      %.0f MB before, %.0f MB at most\n", before_mb, memory_mb(ProcessMemory::Peak));
  zoom(*page.findChild<TimelineView*>());
  return 0;
}
