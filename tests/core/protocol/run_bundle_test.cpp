// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/run_bundle.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/protocol/left_out.h"
#include "core/protocol/run_directory.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <future>
#include <gtest/gtest.h>
#include <minizip/zip.h>

using namespace voxlab;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {
namespace fs = std::filesystem;

struct Member {
  std::string name, bytes;
  unsigned mode = 0100644;
};

class RunBundleTest : public testing::Test {
protected:
  fs::path makeRun(const std::string& id) {
    const fs::path run = m_folder / id;
    EXPECT_TRUE(writeJsonFile(run / "run.json", {{"schema", "1.0"}, {"id", id}, {"kind", "sample"}, {"mode", "bf16"}, {"created", "2026-01-31T14:25:30.000Z"}}));
    EXPECT_TRUE(writeJsonFile(run / "spec.json", {{"schema", "1.0"}, {"kind", "sample"}, {"sample", {{"checkpoint", "/home/ann/weights/net.safetensors"}}}}));
    EXPECT_TRUE(writeFileAtomically(run / "environment.jsonl", "{\"start\":1,\"host\":\"anns-desk\",\"gpu\":{\"name\":\"H200\"}}\n"));
    EXPECT_TRUE(writeFileAtomically(run / "events.jsonl", "{\"type\":\"warning\",\"time_s\":1,\"message\":\"No mask for /home/ann/x.nii: left out.\"}\n{\"type\":\"hea"));
    EXPECT_TRUE(writeFileAtomically(run / "worker.log", "at /home/ann"));
    EXPECT_TRUE(writeFileAtomically(run / "worker.lock", "pid"));
    EXPECT_TRUE(writeFileAtomically(run / "profiles/01_train.json", "{\"host_name\": \"anns-desk\", \"traceName\": \"/home/ann/runs/.01_train.json.tmp\"}"));
    EXPECT_TRUE(writeFileAtomically(run / "profiles/01_train.raw.csv", "\"ID\",\"Process Name\"\n\"0\",\"/home/ann/voxlab-worker\"\n"));
    EXPECT_TRUE(writeFileAtomically(run / "profiles/01_train.ncu-rep", "on anns-desk"));
    EXPECT_TRUE(writeFileAtomically(run / "samples/a.nii.gz", std::string("\x1f\x8b\0voxels", 9)));
    EXPECT_TRUE(writeFileAtomically(run / "checkpoints/step_00000001/ema.safetensors", std::string(1000, 'w')));
    return run;
  }

  fs::path zipped(const std::vector<Member>& members) {
    const fs::path file = m_folder / "made.voxrun";
    fs::remove(file);
    zipFile zip = zipOpen64(file.c_str(), APPEND_STATUS_CREATE);
    for (const Member& m : members) {
      zip_fileinfo info{};
      info.external_fa = static_cast<uLong>(m.mode) << 16;
      zipOpenNewFileInZip4_64(zip, m.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 9, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 3 << 8, 0, 1);
      zipWriteInFileInZip(zip, m.bytes.data(), static_cast<unsigned>(m.bytes.size()));
      zipCloseFileInZip(zip);
    }
    zipClose(zip, nullptr);
    return file;
  }

  static Member head(const std::string& schema = "1.0") { return {"voxrun.json", "{\"schema\":\"" + schema + "\",\"format\":\"voxrun\",\"runs\":[\"r\"]}"}; }
  static Member run() { return {"r/run.json", "{\"schema\":\"1.0\",\"id\":\"r\",\"kind\":\"bench\"}"}; }

  void expectRefused(const fs::path& bundle, const std::string& words, const UnpackLimits& limits = {}) {
    const fs::path target = m_folder / "there";
    const auto unpacked = unpackRuns(bundle, target, limits);
    ASSERT_FALSE(unpacked) << words;
    EXPECT_EQ(unpacked.error().code, ExitCode::Data);
    EXPECT_THAT(unpacked.error().message, HasSubstr(words));
    EXPECT_TRUE(!fs::exists(target) || fs::is_empty(target)) << words;
    EXPECT_FALSE(fs::exists(m_folder / "escaped"));
  }

  TemporaryFolder m_folder;
};
} // namespace

TEST_F(RunBundleTest, GoesThereAndComesBack) {
  const fs::path first = makeRun("2026_a"), second = makeRun("2026_b");
  ASSERT_TRUE(packRuns({first, second / ""}, m_folder / "both.voxrun"));
  const auto unpacked = unpackRuns(m_folder / "both.voxrun", m_folder / "there");
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  ASSERT_EQ(unpacked->runs.size(), 2u);
  const RunDirectory run(unpacked->runs.front());
  EXPECT_EQ(run.id(), "2026_a");
  EXPECT_EQ(run.info()->mode, "bf16");
  EXPECT_EQ(readTextFile(run.path() / "samples/a.nii.gz").value(), std::string("\x1f\x8b\0voxels", 9));
  EXPECT_FALSE(fs::exists(run.path() / "checkpoints"));
  EXPECT_FALSE(fs::exists(run.lockFile()));
  EXPECT_EQ(unpackRuns(m_folder / "both.voxrun", m_folder / "there")->alreadyThere.size(), 2u);
}

// Experiments name their runs alike on every machine.
TEST_F(RunBundleTest, RunsOfOneNameFromTwoMachinesLieSideBySide) {
  const auto packed = [&](const std::string& machine, const std::string& created) {
    for (const char* name : {"sample_1", "quality_1"}) {
      const fs::path run = m_folder / machine / name;
      EXPECT_TRUE(writeJsonFile(run / "run.json", {{"schema", "1.0"}, {"id", name}, {"kind", "quality"}, {"created", created}}));
      EXPECT_TRUE(writeJsonFile(run / "spec.json", {{"schema", "1.0"}, {"kind", "quality"}, {"quality", {{"synthetic", (m_folder / machine / "sample_1").string()}, {"real", "/data/quality_images"}}}}));
    }
    const fs::path bundle = m_folder / (machine + ".voxrun");
    EXPECT_TRUE(packRuns({m_folder / machine / "sample_1", m_folder / machine / "quality_1"}, bundle));
    return bundle;
  };
  const fs::path first = packed("a", "2026-01-31T08:00:00.000Z"), second = packed("b", "2026-01-31T20:00:00.000Z"), there = m_folder / "there";
  ASSERT_TRUE(unpackRuns(first, there));
  const auto unpacked = unpackRuns(second, there);
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  EXPECT_TRUE(unpacked->alreadyThere.empty());
  EXPECT_EQ(unpacked->renamed.at("quality_1"), "quality_1_2");
  EXPECT_EQ(unpacked->runs, (std::vector<fs::path>{there / "sample_1_2", there / "quality_1_2"}));
  const Json spec = readJsonFile(there / "quality_1_2/spec.json").value();
  EXPECT_EQ(spec.at("quality").at("synthetic"), "…/sample_1_2") << "its own, not the other machine's";
  EXPECT_EQ(spec.at("quality").at("real"), "…/quality_images");
  EXPECT_EQ(readJsonFile(there / "quality_1/spec.json")->at("quality").at("synthetic"), "…/sample_1");
  for (const fs::path& bundle : {first, second}) {
    const auto again = unpackRuns(bundle, there);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->alreadyThere.size(), 2u);
    EXPECT_TRUE(again->renamed.empty());
    EXPECT_EQ(again->runs.back(), there / (bundle == first ? "quality_1" : "quality_1_2"));
  }
}

// As the studio does with several files on its command line.
TEST_F(RunBundleTest, SeveralAreOpenedAtOnce) {
  std::vector<fs::path> bundles;
  for (const std::string name : {"2026_a", "2026_b", "2026_c", "2026_d"}) {
    bundles.push_back(m_folder / (name + ".voxrun"));
    ASSERT_TRUE(packRuns({makeRun(name), makeRun("2026_shared")}, bundles.back()));
  }
  std::vector<std::future<Result<UnpackedRuns>>> opened;
  for (const fs::path& bundle : bundles)
    opened.push_back(std::async(std::launch::async, [&, bundle] { return unpackRuns(bundle, m_folder / "there"); }));
  std::size_t alreadyThere = 0;
  for (auto& one : opened) {
    const auto unpacked = one.get();
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    EXPECT_EQ(unpacked->runs.size(), 2u);
    alreadyThere += unpacked->alreadyThere.size();
  }
  EXPECT_EQ(alreadyThere, 3u) << "the run that all of them hold";
  for (const char* name : {"2026_a", "2026_b", "2026_c", "2026_d", "2026_shared"})
    EXPECT_TRUE(RunDirectory(m_folder / "there" / name).info()) << name;
}

TEST_F(RunBundleTest, HoldsNoPathsAndNoNames) {
  const fs::path run = makeRun("2026_a");
  ASSERT_TRUE(packRuns({run}, m_folder / "a.voxrun"));
  const fs::path there = unpackRuns(m_folder / "a.voxrun", m_folder / "there").value().runs.front();
  for (const char* file : {"spec.json", "environment.jsonl", "events.jsonl", "profiles/01_train.json", "profiles/01_train.raw.csv"}) {
    const std::string text = readTextFile(there / file).value();
    EXPECT_THAT(text, Not(HasSubstr("ann"))) << file;
  }
  EXPECT_THAT(readTextFile(there / "spec.json").value(), HasSubstr("…/net.safetensors"));
  EXPECT_THAT(readTextFile(there / "events.jsonl").value(), HasSubstr("No mask for …/x.nii: left out."));
  EXPECT_FALSE(fs::exists(there / "worker.log"));
  EXPECT_FALSE(fs::exists(there / "profiles/01_train.ncu-rep"));
}

TEST_F(RunBundleTest, KeepsEverythingWhenAsked) {
  const fs::path run = makeRun("2026_a");
  PackOptions options;
  options.withCheckpoints = options.withNames = true;
  ASSERT_TRUE(packRuns({run}, m_folder / "a.voxrun", options));
  const fs::path there = unpackRuns(m_folder / "a.voxrun", m_folder / "there").value().runs.front();
  EXPECT_TRUE(fs::exists(there / "checkpoints/step_00000001/ema.safetensors"));
  EXPECT_THAT(readTextFile(there / "spec.json").value(), HasSubstr("/home/ann/weights"));
  EXPECT_TRUE(fs::exists(there / "worker.log"));
}

TEST_F(RunBundleTest, SaysAndRecordsWhatItLeavesOut) {
  const fs::path run = makeRun("2026_a");
  const auto packed = packRuns({run}, m_folder / "a.voxrun");
  ASSERT_TRUE(packed);
  EXPECT_THAT(packed->leftOut, testing::ElementsAre(AllOf(HasSubstr("1 file of checkpoints"), HasSubstr("--with-checkpoints")), AllOf(HasSubstr("1 worker.log,"), HasSubstr("--with-names")),
                                                    HasSubstr("1 Nsight report,")));
  const fs::path there = unpackRuns(m_folder / "a.voxrun", m_folder / "there").value().runs.front();
  EXPECT_THAT(leftOutOf(there), testing::ElementsAre("checkpoints/step_00000001/ema.safetensors", "profiles/01_train.ncu-rep", "worker.log"));
  fs::remove(there / "samples/a.nii.gz"); // by its owner
  EXPECT_THAT(leftOutOf(there), Not(testing::Contains("samples/a.nii.gz")));
  ASSERT_TRUE(packRuns({there}, m_folder / "again.voxrun"));
  EXPECT_EQ(leftOutOf(unpackRuns(m_folder / "again.voxrun", m_folder / "elsewhere").value().runs.front()).size(), 3u) << "it goes on with the run";
  const auto whole = packRuns({run}, m_folder / "whole.voxrun", {true, true});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->leftOut.empty());
  EXPECT_FALSE(fs::exists(unpackRuns(m_folder / "whole.voxrun", m_folder / "third").value().runs.front() / kLeftOutFile));
}

TEST_F(RunBundleTest, EqualRunsMakeEqualBundles) {
  const fs::path run = makeRun("2026_a");
  ASSERT_TRUE(packRuns({run}, m_folder / "a.voxrun") && packRuns({run}, m_folder / "b.voxrun"));
  EXPECT_EQ(readTextFile(m_folder / "a.voxrun").value(), readTextFile(m_folder / "b.voxrun").value());
}

TEST_F(RunBundleTest, WhatCannotBePackedIsSaidWithFileAndRemedy) {
  const fs::path run = makeRun("2026_a");
  const auto nowhere = packRuns({run}, m_folder / "missing/a.voxrun");
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, HasSubstr((m_folder / "missing/a.voxrun").string() + " could not be written. Is the disk full, or the folder missing"));
  EXPECT_FALSE(fs::exists(m_folder / "missing"));
  EXPECT_THAT(packRuns({run, run}, m_folder / "a.voxrun").error().message, HasSubstr("Rename the folder of one"));
  EXPECT_THAT(packRuns({m_folder / "b"}, m_folder / "a.voxrun").error().message, HasSubstr("Name the folder of a run"));
  EXPECT_FALSE(fs::exists(m_folder / "a.voxrun"));
}

TEST_F(RunBundleTest, OldBundlesOpen) {
  const auto unpacked = unpackRuns(testData() / "bundles/version_1_0.voxrun", m_folder / "there");
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  ASSERT_EQ(unpacked->runs.size(), 1u);
  const auto info = RunDirectory(unpacked->runs.front()).info();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->kind, "bench");
}

TEST_F(RunBundleTest, HostileBundlesAreRefused) {
  for (const char* name : {"../escaped", "r/../../escaped", "/tmp/escaped", "r/./x", "r//x", "r\\..\\escaped", "C:/escaped"})
    expectRefused(zipped({head(), run(), {name, "x"}}), name[0] == '/' || std::string(name).find_first_of("\\:") != std::string::npos ? "outside of the run" : "leads out");
  expectRefused(zipped({head(), run(), {"r/link", "/etc/passwd", 0120777}}), "link");
  expectRefused(zipped({head(), run(), {"r/pipe", "", 0010644}}), "link or a device");
  expectRefused(zipped({head(), run(), run()}), "twice");
  expectRefused(zipped({head(), run(), {"other/run.json", "{}"}}), "belongs to no run");
  expectRefused(zipped({head(), run(), {"r/a\x01", "x"}}), "control characters");
  expectRefused(zipped({head("9.0"), run()}), "9.0");
  expectRefused(zipped({head()}), "not in it");
  expectRefused(zipped({run()}), "voxrun.json");
  expectRefused(zipped({{"voxrun.json", "{\"schema\":\"1.0\",\"runs\":[\"../r\"]}"}, run()}), "not in it");
  ASSERT_TRUE(writeFileAtomically(m_folder / "no.voxrun", "this is no zip"));
  expectRefused(m_folder / "no.voxrun", "no bundle");
  expectRefused(m_folder / "absent.voxrun", "no file");
}

TEST_F(RunBundleTest, BombsAreRefused) {
  const fs::path bomb = zipped({head(), run(), {"r/zeros", std::string(80u << 20, '\0')}});
  UnpackLimits few;
  few.files = 2;
  few.ratio = 1u << 20;
  expectRefused(bomb, "more than 2 files", few);
  UnpackLimits small;
  small.bytes = 1u << 20;
  small.ratio = 1u << 20;
  expectRefused(bomb, "would take more than", small);
  expectRefused(bomb, "-fold");
}

TEST_F(RunBundleTest, DamageIsFound) {
  const fs::path run = makeRun("2026_a");
  ASSERT_TRUE(packRuns({run}, m_folder / "a.voxrun"));
  const std::string whole = readTextFile(m_folder / "a.voxrun").value();
  for (const std::size_t length : {whole.size() / 4, whole.size() / 2, whole.size() - 10}) {
    ASSERT_TRUE(writeFileAtomically(m_folder / "cut.voxrun", whole.substr(0, length)));
    EXPECT_FALSE(unpackRuns(m_folder / "cut.voxrun", m_folder / "there"));
  }
  int opened = 0;
  for (std::size_t at = 40; at < whole.size(); at += 37) { // never crashes, never writes outside
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    ASSERT_TRUE(writeFileAtomically(m_folder / "broken.voxrun", broken));
    opened += unpackRuns(m_folder / "broken.voxrun", m_folder / ("broken" + std::to_string(at))).has_value();
  }
  EXPECT_LT(opened, 60);
}
