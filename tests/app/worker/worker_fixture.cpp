// SPDX-License-Identifier: Apache-2.0
#include "tests/app/worker/worker_fixture.h"
#include "core/imaging/volume_io.h"
#include <cmath>
#include <fstream>

namespace voxlab {
namespace fs = std::filesystem;
namespace {
TemporaryFolder* g_data = nullptr;

Volume emptyVolume() {
  Volume v;
  v.header.grid.size = {11, 9, 10};
  v.header.grid.affine = {{{-2, 0, 0, 10}, {0, 2, 0, -8}, {0, 0, 2.5, -11}, {0, 0, 0, 1}}};
  return v;
}

void writeSubject(int number) {
  Volume image = emptyVolume(), mask = emptyVolume();
  for (int k = 0; k < 10; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 11; ++i) {
        const double x = (i - 5) / 5.0, y = (j - 4) / 4.0, z = (k - 4.5) / 4.5;
        const bool head = std::sqrt(x * x + y * y + z * z) < 0.9;
        const bool core = std::sqrt(std::pow(x - 0.1 * number, 2) + y * y + z * z) < 0.4;
        mask.voxels.push_back(core ? 2 : head ? 1 : 0);
        image.voxels.push_back(static_cast<float>(core   ? 300 + 10 * number
                                                  : head ? 150 - 50 * z
                                                         : 3 * std::sin(i + 2 * j + 3 * k)));
      }
  const std::string name = "case_" + std::to_string(number) + ".nii.gz";
  ASSERT_TRUE(writeNifti(*g_data / "image" / name, image));
  ASSERT_TRUE(writeNifti(*g_data / "mask" / name, mask, VoxelType::UInt8));
}

Json withoutTimes(Json json) {
  for (const char* key :
       {"duration_ms", "step_time_ms", "data_ms", "compute_ms", "host_ms", "volumes_per_s", "voxels_per_s", "flops_per_s"})
    json.erase(key);
  return json;
}

std::vector<fs::path> filesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.push_back(entry.path().lexically_relative(folder));
  std::sort(files.begin(), files.end());
  return files;
}

void expectSameFolder(const fs::path& expected, const fs::path& actual) {
  const auto files = filesBelow(expected);
  ASSERT_EQ(files, filesBelow(actual));
  for (const fs::path& file : files) {
    if (file.extension() == ".json")
      EXPECT_EQ(withoutTimes(readJsonFile(expected / file).value()), withoutTimes(readJsonFile(actual / file).value())) << file;
    else
      EXPECT_TRUE(contentsOf(expected / file) == contentsOf(actual / file)) << file << " differs";
  }
}

// What the run says it did, in order, each file once.
std::vector<std::string> story(const std::vector<Event>& events) {
  std::vector<std::string> lines;
  for (const Event& e : events)
    if (e.type == event::kStep || e.type == event::kSample || e.type == event::kCheckpoint)
      lines.push_back(e.type + " " + compactJson(withoutTimes(e.fields)));
  return lines;
}
} // namespace

void WorkerTest::SetUpTestSuite() {
  g_data = new TemporaryFolder;
  for (int number = 1; number <= 3; ++number)
    writeSubject(number);
}

void WorkerTest::TearDownTestSuite() {
  delete g_data;
  g_data = nullptr;
}

fs::path WorkerTest::images() {
  return *g_data / "image";
}
fs::path WorkerTest::masks() {
  return *g_data / "mask";
}

Settings operator+(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Settings WorkerTest::tinyTraining(int steps) {
  return {"data.size=8,8,8",
          "model.base_channels=32",
          "model.multipliers=1",
          "model.attention_factors=",
          "train.steps=" + std::to_string(steps),
          "train.accumulate=1",
          "train.log_every=1",
          "train.learning_rate=1e-3",
          "train.ema_start=2",
          "train.ema_every=1",
          "train.ema_decay=0.5",
          "diffusion.timesteps=20",
          "sample.sampler=ddpm",
          "sample.steps=2",
          "sample.sampler=dpm_solver"};
}

std::vector<std::string> WorkerTest::trainCommand(const std::string& name, const Settings& settings) const {
  std::vector<std::string> words{"train",
                                 "--run-dir",
                                 (m_folder / name).string(),
                                 "--set",
                                 "data.images=" + images().string(),
                                 "--set",
                                 "data.masks=" + masks().string(),
                                 "--set",
                                 "threads=1",
                                 "--set",
                                 "device=cpu"};
  for (const std::string& setting : settings) {
    words.push_back("--set");
    words.push_back(setting);
  }
  return words;
}

ProcessEnd WorkerTest::worker(const std::vector<std::string>& arguments) {
  return runProcess(program("voxlab-worker"), arguments);
}

RunDirectory WorkerTest::trained(const std::string& name, const Settings& settings) const {
  const ProcessEnd end = worker(trainCommand(name, settings));
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  return run(name);
}

std::vector<Event> WorkerTest::eventsOf(const RunDirectory& run) {
  EventReader reader(run.eventsFile());
  auto events = reader.poll();
  EXPECT_TRUE(events) << events.error().message;
  EXPECT_EQ(reader.skippedLines(), 0u);
  EXPECT_EQ(reader.unknownEvents(), 0u);
  EXPECT_EQ(reader.unknownFields(), 0u);
  return events ? std::move(*events) : std::vector<Event>{};
}

std::vector<Event> WorkerTest::eventsOf(const RunDirectory& run, std::string_view type) {
  auto events = effectiveEvents(eventsOf(run));
  std::erase_if(events, [&](const Event& e) { return e.type != type; });
  return events;
}

bool watchRun(FolderWatch& watch, Process& process, const RunDirectory& run) {
  watch.add(run.path().parent_path());
  std::error_code ec;
  while (!fs::is_directory(run.path(), ec))
    if (watch.wait(process.pid()).empty())
      return false;
  watch.add(run.path());
  return true;
}

bool WorkerTest::waitFor(Process& process, const RunDirectory& run, std::int64_t number,
                         const std::function<bool(const Event&)>& isIt) {
  FolderWatch watch;
  if (!watchRun(watch, process, run))
    return false;
  EventReader reader(run.eventsFile());
  std::int64_t start = 0;
  for (;;) {
    const auto events = reader.poll();
    if (!events)
      return false;
    for (const Event& e : *events) {
      if (e.type == event::kHello)
        start = jsonGet<std::int64_t>(e.fields, "start").value_or(0);
      if (start == number && isIt(e))
        return true;
    }
    if (watch.wait(process.pid()).empty() && !process.running())
      return false;
  }
}

std::string contentsOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expectSameResults(const RunDirectory& expected, const RunDirectory& actual) {
  expectSameFolder(expected.checkpoints(), actual.checkpoints());
  expectSameFolder(expected.path() / "samples", actual.path() / "samples");
  EventReader expectedEvents(expected.eventsFile()), actualEvents(actual.eventsFile());
  EXPECT_EQ(story(effectiveEvents(expectedEvents.poll().value())), story(effectiveEvents(actualEvents.poll().value())));
}

} // namespace voxlab
