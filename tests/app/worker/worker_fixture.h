// SPDX-License-Identifier: Apache-2.0
// The real worker, run on a tiny data set that is made here.
#pragma once
#include "core/protocol/event_reader.h"
#include "core/protocol/run_directory.h"
#include "tests/support/folder_watch.h"
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"
#include <functional>
#include <gtest/gtest.h>

namespace voxlab {

using Settings = std::vector<std::string>; // key=value

class WorkerTest : public testing::Test {
protected:
  // Three subjects, balls in a ball, 11 × 9 × 10 voxels of 2 × 2 × 2.5 mm, axes LAS, with masks of the labels 1 and 2.
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  static std::filesystem::path images();
  static std::filesystem::path masks();

  // A network that trains a step in some hundredths of a second at 8³: 32 channels, one level.
  static Settings tinyTraining(int steps);
  // train --run-dir FOLDER/NAME with these settings, one CPU thread.
  std::vector<std::string> trainCommand(const std::string& name, const Settings& settings) const;
  static ProcessEnd worker(const std::vector<std::string>& arguments);
  // Trains and expects success.
  RunDirectory trained(const std::string& name, const Settings& settings) const;
  RunDirectory run(const std::string& name) const { return RunDirectory(m_folder / name); }

  static std::vector<Event> eventsOf(const RunDirectory& run);
  static std::vector<Event> eventsOf(const RunDirectory& run, std::string_view type); // effective ones
  // Waits until the start `number` of the run has said something that `isIt`; false when the process ended before.
  static bool waitFor(Process& process, const RunDirectory& run, std::int64_t number,
                      const std::function<bool(const Event&)>& isIt);

  TemporaryFolder m_folder;
};

// Waits for the run's folder and watches it; false when the process ended before.
bool watchRun(FolderWatch& watch, Process& process, const RunDirectory& run);
std::string contentsOf(const std::filesystem::path& file);
Settings operator+(Settings a, const Settings& b);

// Expects the same checkpoints (byte by byte), the same samples (byte by byte, but for how long they took) and the same effective
// events (but for times).
void expectSameResults(const RunDirectory& expected, const RunDirectory& actual);

} // namespace voxlab
