// SPDX-License-Identifier: Apache-2.0
// Verbs, their output and their exit codes.
#include "core/base/files.h"
#include "core/base/safetensors.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include "core/protocol/catalog.h"
#include "tests/app/worker/worker_fixture.h"
#include <fstream>
#include <gmock/gmock.h>
#include <limits>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

namespace {
class CommandLineTest : public WorkerTest {
protected:
  Json json(const std::vector<std::string>& arguments, int exitCode = 0) const {
    const ProcessEnd end = worker(arguments);
    EXPECT_EQ(end.exitCode, exitCode) << end.errors;
    auto parsed = parseJson(end.output, "the output");
    EXPECT_TRUE(parsed) << end.output;
    return parsed ? *parsed : Json();
  }
  std::vector<std::string> sampleCommand(const std::string& name, const fs::path& checkpoint, const Settings& settings) const {
    std::vector<std::string> words{"sample",
                                   "--run-dir",
                                   (m_folder / name).string(),
                                   "--set",
                                   "threads=1",
                                   "--set",
                                   "sample.checkpoint=" + checkpoint.string(),
                                   "--set",
                                   "sample.masks=" + masks().string(),
                                   "--set",
                                   "sample.sampler=ddim",
                                   "--set",
                                   "sample.steps=2"};
    for (const std::string& setting : settings) {
      words.push_back("--set");
      words.push_back(setting);
    }
    return words;
  }
};
} // namespace

// What the help shows is what is taken.
TEST_F(CommandLineTest, EachAssignmentHasItsOption) {
  for (const char* verb : {"train", "sample", "bench"}) {
    const ProcessEnd help = worker({verb, "--help"});
    EXPECT_THAT(help.output, HasSubstr("--set KEY=VALUE  ")) << verb;
    EXPECT_THAT(help.output, Not(HasSubstr("..."))) << verb;
    EXPECT_NE(worker({verb, "--set", "seed=1", "threads=1"}).exitCode, 0) << verb;
  }
}

TEST_F(CommandLineTest, BenchMeasuresEveryKernelBesideWhatItReplaces) {
  const std::vector<std::string> command{"bench", "--kernels", "--device", "cpu", "--size", "4", "--set", "model.base_channels=32", "--set", "threads=1"};
  const ProcessEnd text = worker(command);
  EXPECT_EQ(text.exitCode, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("norm + SiLU"));
  EXPECT_THAT(text.errors, HasSubstr("Without a GPU"));
  const Json document = json(command + std::vector<std::string>{"--format", "json"});
  EXPECT_EQ(document["device"], "cpu");
  ASSERT_GT(document["kernels"].size(), 30u);
  for (const Json& row : document["kernels"])
    EXPECT_GT(row["own_ms"].get<double>(), 0) << row["kernel"];
  EXPECT_EQ(worker({"bench", "--kernels", "--device", "cpu", "--size", "5"}).exitCode, 2);
}

TEST_F(CommandLineTest, WrongUsageIsTwo) {
  const std::vector<std::vector<std::string>> cases{{},
                                                    {"juggle"},
                                                    {"train", "--bogus"},
                                                    {"train", "--set", "train.stepz=3"},
                                                    {"train", "--set", "nonsense"},
                                                    {"train", "--preset", "none"},
                                                    {"train", "--spec", "/nonexistent/spec.json"},
                                                    {"train"},
                                                    {"run"},
                                                    {"report", "--format", "smoke-signals", "x"},
                                                    trainCommand("a", {"train.steps=0"}),
                                                    trainCommand("a", {"model.base_channels=40"}),
                                                    trainCommand("a", {"mode=warp"})};
  for (const auto& arguments : cases) {
    const ProcessEnd end = worker(arguments);
    EXPECT_EQ(end.exitCode, 2) << testing::PrintToString(arguments);
    EXPECT_FALSE(end.errors.empty());
    EXPECT_EQ(end.output, "");
  }
  EXPECT_FALSE(fs::exists(m_folder / "a"));
}

TEST_F(CommandLineTest, HelpAndVersionAreNoErrors) {
  EXPECT_THAT(worker({"--help"}).output, HasSubstr("dataset"));
  EXPECT_EQ(worker({"--version"}).exitCode, 0);
  EXPECT_THAT(worker({"train", "--help"}).output, HasSubstr("--preset"));
}

TEST_F(CommandLineTest, AMissingDeviceIsThree) {
  const ProcessEnd end = worker(trainCommand("run", {"device=cuda:77"}));
  EXPECT_EQ(end.exitCode, 3);
  EXPECT_THAT(end.errors, HasSubstr("cuda:77"));
}

TEST_F(CommandLineTest, BadDataIsFourAndSaysWhichFile) {
  fs::create_directories(m_folder / "image");
  fs::copy_file(images() / "case_1.nii.gz", m_folder / "image" / "case_1.nii.gz");
  fs::resize_file(m_folder / "image" / "case_1.nii.gz", 200);
  const ProcessEnd end = worker(trainCommand("run", tinyTraining(2) + Settings{"data.images=" + (m_folder / "image").string()}));
  EXPECT_EQ(end.exitCode, 4);
  EXPECT_THAT(end.errors, HasSubstr("case_1.nii.gz"));
  EXPECT_EQ(run("run").outcome(), RunOutcome::Failed);
  EXPECT_EQ(eventsOf(run("run")).back().type, "failed");
  EXPECT_EQ(eventsOf(run("run")).back().fields["exit_code"], 4);
  EXPECT_EQ(worker(trainCommand("none", tinyTraining(2) + Settings{"data.images=/nonexistent"})).exitCode, 4);
  EXPECT_EQ(worker({"inspect", "/nonexistent"}).exitCode, 4);
  EXPECT_EQ(worker({"run", "/nonexistent"}).exitCode, 4);
  EXPECT_EQ(worker(sampleCommand("sample", "/nonexistent", {})).exitCode, 4);
}

// Writes NaN over the first weight of a tensor.
void spoil(const fs::path& file, const char* tensor) {
  const std::uint64_t at = SafetensorsReader::open(file).value().find(tensor)->offset;
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  out.seekp(static_cast<std::streamoff>(at));
  out.write(reinterpret_cast<const char*>(&nothing), sizeof nothing);
}

TEST_F(CommandLineTest, ALossThatIsNoNumberEndsTheRunAndIsNeverSaved) {
  const RunDirectory training =
      trained("run", tinyTraining(6) + Settings{"train.checkpoint_every=3", "train.log_every=2", "train.sample_every=0"});
  fs::remove_all(training.checkpoint(6));
  spoil(training.checkpoint(3) / "model.safetensors", "out.2.weight");
  const ProcessEnd end = worker({"run", training.path().string(), "--resume"});
  EXPECT_EQ(end.exitCode, 70);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("no longer a number"), HasSubstr("learning rate")));
  EXPECT_EQ(training.newestCheckpoint(), training.checkpoint(3));
  EXPECT_TRUE(eventsOf(training, event::kStep).back().fields["loss"].is_null());
}

TEST_F(CommandLineTest, TooLittleMemoryIsFiveAndSaysWhatToLower) {
  auto command = trainCommand("run", tinyTraining(1) + Settings{"data.size=128,128,128"});
  command.insert(command.begin(), {"-c", "ulimit -v 3000000; exec \"$0\" \"$@\"", program("voxlab-worker").string()});
  const ProcessEnd end = runProcess("/bin/bash", command);
  EXPECT_EQ(end.exitCode, 5) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("Lower the volume size"));
  EXPECT_EQ(run("run").outcome(), RunOutcome::Failed);
}

TEST_F(CommandLineTest, ATrainingThatTheMainMemoryCannotHoldIsRefusedBeforeItBegins) {
  const ProcessEnd end = worker(trainCommand("run", tinyTraining(1) + Settings{"data.size=1024,1024,1024", "device=cpu"}));
  EXPECT_EQ(end.exitCode, 5) << end.errors;
  EXPECT_THAT(end.errors, AllOf(HasSubstr("cannot fit"), HasSubstr("Lower the volume size")));
}

TEST_F(CommandLineTest, ADamagedCheckpointNamesTheOneBefore) {
  const RunDirectory training =
      trained("run", tinyTraining(4) + Settings{"train.checkpoint_every=2", "train.keep_checkpoints=0", "train.sample_every=0"});
  fs::resize_file(training.checkpoint(4) / "model.safetensors", 100);
  const ProcessEnd end = worker({"run", training.path().string(), "--resume"});
  EXPECT_EQ(end.exitCode, 4) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr(training.checkpoint(2).string()));
}

TEST_F(CommandLineTest, EveryMaskIsLookedAtBeforeTheFirstIsDrawnOn) {
  const RunDirectory training = trained("run", tinyTraining(1) + Settings{"train.sample_every=0"});
  fs::create_directories(m_folder / "masks");
  fs::copy(masks(), m_folder / "masks", fs::copy_options::recursive);
  fs::resize_file(m_folder / "masks" / "case_3.nii.gz", 100);
  auto command = sampleCommand("sample", training.path(), {"sample.masks=" + (m_folder / "masks").string()});
  const ProcessEnd end = worker(command);
  EXPECT_EQ(end.exitCode, 4);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("case_3"), HasSubstr("Nothing was drawn")));
  EXPECT_TRUE(eventsOf(run("sample"), event::kSample).empty());
}

TEST_F(CommandLineTest, WhatIsNoVolumeAndNoCommandIsNamedInWords) {
  std::ofstream(m_folder / "empty.nii");
  EXPECT_THAT(worker({"inspect", (m_folder / "empty.nii").string()}).errors, HasSubstr("is empty"));
  fs::create_directories(m_folder / "step-3");
  std::ofstream(m_folder / "step-3" / "state.json") << "{}";
  EXPECT_THAT(worker({"inspect", (m_folder / "step-3").string()}).errors, HasSubstr("no file DONE"));
  const ProcessEnd end = worker({"bogus"});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, HasSubstr("bogus"));
}

TEST_F(CommandLineTest, AFullDiskEndsTheRunWithASentenceAndKeepsTheLastGoodCheckpoint) {
  const RunDirectory training = trained("run", tinyTraining(4) + Settings{"train.checkpoint_every=2", "train.sample_every=0"});
  fs::remove_all(training.checkpoint(4));
  // Files may not grow beyond 200 kB; the weights are larger.
  const ProcessEnd end = runProcess("/bin/bash", {"-c", "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"",
                                                  program("voxlab-worker").string(), "run", training.path().string(), "--resume"});
  EXPECT_EQ(end.exitCode, 4) << end.errors;
  EXPECT_THAT(end.errors, AllOf(HasSubstr("checkpoint of step 4"), HasSubstr("step_00000002 is whole")));
  EXPECT_EQ(training.newestCheckpoint(), training.checkpoint(2));
  EXPECT_EQ(std::distance(fs::directory_iterator(training.checkpoints()), {}), 1);
  EXPECT_EQ(worker({"run", training.path().string(), "--resume"}).exitCode, 0); // when there is space again
}

TEST_F(CommandLineTest, AResumedRunKeepsItsNumberOfThreads) {
  const RunDirectory training = trained("run", tinyTraining(1) + Settings{"train.sample_every=0"});
  Json spec = readJsonFile(training.specFile()).value();
  spec["threads"] = 0; // "as many as there are", and the run is taken to another machine
  ASSERT_TRUE(writeJsonFile(training.specFile(), spec));
  ASSERT_EQ(worker({"run", training.path().string(), "--resume"}).exitCode, 0);
  const auto starts = LineReader(training.environmentFile()).poll().value();
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[1]["threads"], 1);
}

TEST_F(CommandLineTest, CombinedSwitchesAreAMode) {
  const RunDirectory training =
      trained("run", tinyTraining(2) + Settings{"mode=baseline+channels_last+checkpoint_0", "train.sample_every=0"});
  EXPECT_EQ(training.info()->mode, "baseline+channels_last+checkpoint_0");
  const ProcessEnd end = worker(trainCommand("none", {"mode=baseline+warp"}));
  EXPECT_EQ(end.exitCode, 2);
}

TEST_F(CommandLineTest, TheWayFromNoiseIsRecorded) {
  const RunDirectory training =
      trained("train", tinyTraining(1) + Settings{"train.sample_every=1", "sample.steps=4", "sample.record_every=2"});
  const Json info = readJsonFile(training.samples(1) / "case_2_seed0.json").value();
  ASSERT_EQ(info["trajectory"].size(), 2u);
  EXPECT_TRUE(readVolumeHeader(training.samples(1) / info["trajectory"][1]["files"][0].get<std::string>()));
}

TEST_F(CommandLineTest, DescribeIsACatalog) {
  const auto catalog = catalogFromJson(json({"describe"}));
  ASSERT_TRUE(catalog) << catalog.error().message;
  for (const char* key : {"mode", "device", "backend", "sample.sampler", "data.preprocessing"}) {
    ASSERT_NE(catalog->find(key), nullptr) << key;
    EXPECT_FALSE(catalog->find(key)->choices.empty()) << key;
  }
  for (const Parameter& p : catalog->parameters)
    EXPECT_FALSE(p.explanation.empty()) << p.key;
  for (const char* name : {"voxlab", "torch", "itk", "protocol"})
    EXPECT_TRUE(catalog->versions.contains(name)) << name;
}

TEST_F(CommandLineTest, DoctorFindsNothingWrongHere) {
  const Json checks = json({"doctor", "--format", "json"});
  EXPECT_EQ(checks["passed"], true);
  EXPECT_THAT(worker({"doctor"}).output, HasSubstr("OK    3D convolution"));
}

TEST_F(CommandLineTest, DatasetCheckTellsPairsAndExitsFourOnErrors) {
  const Json good = json({"dataset", "check", images().string(), masks().string(), "--format", "json"});
  EXPECT_EQ(good["subjects"].size(), 3u);
  EXPECT_EQ(good["errors"], 0);
  EXPECT_THAT(worker({"dataset", "check", images().parent_path().string()}).output, HasSubstr("3 subjects"));
  fs::create_directories(m_folder / "image");
  fs::copy(images(), m_folder / "image", fs::copy_options::recursive);
  fs::resize_file(m_folder / "image" / "case_2.nii.gz", 100);
  const Json bad = json({"dataset", "check", (m_folder / "image").string(), masks().string(), "--format", "json"}, 4);
  EXPECT_EQ(bad["errors"], 1);
}

TEST_F(CommandLineTest, TrainingLooksAtEveryFileBeforeItBegins) {
  fs::create_directories(m_folder / "image");
  fs::copy(images(), m_folder / "image", fs::copy_options::recursive);
  fs::resize_file(m_folder / "image" / "case_2.nii.gz", 100);
  const Settings settings = tinyTraining(2) + Settings{"train.sample_every=0"};
  const ProcessEnd told = worker(trainCommand("told", settings + Settings{"data.images=" + (m_folder / "image").string()}));
  EXPECT_EQ(told.exitCode, 0) << told.errors;
  EXPECT_THAT(told.errors, HasSubstr("case_2"));
  EXPECT_EQ((*readJsonFile(run("told").summaryFile()))["subjects"], 2);
  const ProcessEnd strange = worker(trainCommand("strange", settings + Settings{"data.labels=7,8"}));
  EXPECT_EQ(strange.exitCode, 4) << strange.errors;
  EXPECT_THAT(strange.errors, HasSubstr("There is no subject"));
}

TEST_F(CommandLineTest, SamplesLieOnTheirMasksGrid) {
  const RunDirectory training = trained("train", tinyTraining(2) + Settings{"train.sample_every=0"});
  const ProcessEnd end = worker(sampleCommand("sample", training.path(), {"sample.count=2", "seed=5"}));
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  const auto events = eventsOf(run("sample"), event::kSample);
  ASSERT_EQ(events.size(), 6u);
  for (const Event& e : events) {
    const auto sample = readVolume(run("sample").path() / e.fields["path"].get<std::string>());
    ASSERT_TRUE(sample) << sample.error().message;
    const auto mask = readVolumeHeader(e.fields["mask"].get<std::string>());
    EXPECT_TRUE(sameGrid(sample->grid(), mask->grid));
    EXPECT_EQ(axisCodes(sample->grid().affine), "LAS");
    const Json info = readJsonFile(run("sample").path() / e.fields["info_path"].get<std::string>()).value();
    EXPECT_EQ(info["seed"], e.fields["seed"]);
    EXPECT_EQ(info["sampler"], "ddim");
    EXPECT_EQ(info["steps"], 2);
    EXPECT_EQ(info["checkpoint"], training.checkpoint(2).string());
    EXPECT_EQ(info["mode"], "baseline");
  }
  // The same seed gives the same volume, another seed another one.
  EXPECT_EQ(worker(sampleCommand("again", training.path(), {"seed=6"})).exitCode, 0);
  const auto file = [&](const char* name, const char* volume) { return contentsOf(run(name).path() / "samples" / volume); };
  EXPECT_EQ(file("sample", "case_1_seed6.nii.gz"), file("again", "case_1_seed6.nii.gz"));
  EXPECT_NE(file("sample", "case_1_seed6.nii.gz"), file("sample", "case_1_seed5.nii.gz"));
}

TEST_F(CommandLineTest, OnTheNetworksGridTheFieldOfViewStays) {
  const RunDirectory training = trained("train", tinyTraining(1) + Settings{"train.sample_every=0"});
  ASSERT_EQ(worker(sampleCommand("sample", training.path(),
                                 {"sample.grid=network", "sample.masks=" + (masks() / "case_1.nii.gz").string()}))
                .exitCode,
            0);
  const auto sample = readVolume(run("sample").path() / "samples" / "case_1_seed0.nii.gz");
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->grid().size, (std::array<std::int64_t, 3>{8, 8, 8}));
  const auto mask = readVolumeHeader(masks() / "case_1.nii.gz");
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(spacingOf(sample->grid().affine)[axis] * 8,
                spacingOf(mask->grid.affine)[axis] * static_cast<double>(mask->grid.size[axis]), 1e-4);
}

TEST_F(CommandLineTest, AnUnconditionalNetworkNeedsNoMask) {
  const RunDirectory training = trained("train", tinyTraining(1) + Settings{"model.condition_channels=0", "train.sample_every=1"});
  EXPECT_EQ(eventsOf(training, event::kSample).size(), 1u);
  ASSERT_EQ(worker(sampleCommand("sample", training.path(), {"sample.masks="})).exitCode, 0);
  EXPECT_TRUE(readVolume(run("sample").path() / "samples" / "volume_seed0.nii.gz"));
}

TEST_F(CommandLineTest, OddSizesArePaddedAndCropped) {
  const RunDirectory training =
      trained("train", tinyTraining(1) + Settings{"data.size=7,6,5", "model.multipliers=1,1", "train.sample_every=1"});
  const auto sample = readVolumeHeader(training.samples(1) / "case_2_seed0.nii.gz");
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->grid.size, (std::array<std::int64_t, 3>{7, 6, 5}));
}

TEST_F(CommandLineTest, WeightsGoOutAndComeBack) {
  const RunDirectory training = trained("train", tinyTraining(3) + Settings{"train.sample_every=0"});
  const fs::path pt = m_folder / "weights.pt", safetensors = m_folder / "weights.safetensors";
  ASSERT_EQ(worker({"export", training.path().string(), "--format", "pt", "-o", pt.string()}).exitCode, 0);
  ASSERT_EQ(worker({"export", training.path().string(), "--format", "safetensors", "-o", safetensors.string()}).exitCode, 0);
  const ProcessEnd imported = worker({"import", pt.string(), "--runs", (m_folder / "runs").string()});
  ASSERT_EQ(imported.exitCode, 0) << imported.errors;
  const fs::path checkpoint = imported.output.substr(0, imported.output.size() - 1);
  for (const char* file : {"model.safetensors", "ema.safetensors"}) {
    const auto before = SafetensorsReader::open(training.checkpoint(3) / file).value(),
               after = SafetensorsReader::open(checkpoint / file).value();
    ASSERT_EQ(before.tensors().size(), after.tensors().size());
    for (const TensorInfo& t : before.tensors())
      EXPECT_EQ(before.values<float>(t.name).value(), after.values<float>(t.name).value()) << t.name;
  }
  EXPECT_EQ(json({"inspect", safetensors.string(), "--format", "json"})["network"],
            json({"inspect", training.path().string() + "/checkpoints/step_00000003", "--format", "json"})["network"]);
  // Both draw the same volume as the checkpoint they came from.
  const Settings one{"sample.masks=" + (masks() / "case_1.nii.gz").string(), "sample.size=8,8,8"};
  for (const auto& [name, source] : {std::pair{"a", training.path()}, {"b", safetensors}})
    ASSERT_EQ(worker(sampleCommand(name, source, one)).exitCode, 0);
  EXPECT_EQ(contentsOf(run("a").path() / "samples/case_1_seed0.nii.gz"),
            contentsOf(run("b").path() / "samples/case_1_seed0.nii.gz"));
  // Training starts from them, with their network.
  const RunDirectory more =
      trained("more", tinyTraining(1) + Settings{"train.start=" + safetensors.string(), "model.multipliers=1,2,3",
                                                 "train.sample_every=0", "train.learning_rate=0"});
  EXPECT_EQ(more.spec()->value("model.multipliers"), Json::array({1}));
  const auto started = SafetensorsReader::open(more.checkpoint(1) / "model.safetensors").value();
  EXPECT_EQ(started.values<float>("out.2.weight").value(),
            SafetensorsReader::open(training.checkpoint(3) / "ema.safetensors").value().values<float>("out.2.weight").value());
}

TEST_F(CommandLineTest, ReportInEveryFormat) {
  const RunDirectory training = trained("train", tinyTraining(4) + Settings{"train.sample_every=4"});
  const std::string folder = training.path().string();
  const Json report = json({"report", folder, "--format", "json"})["runs"][0];
  EXPECT_EQ(report["steps"], 4);
  EXPECT_EQ(report["outcome"], "finished");
  EXPECT_EQ(report["samples"].size(), 1u);
  EXPECT_THAT(worker({"report", folder}).output, HasSubstr("Training of a network with 32 base channels"));
  EXPECT_THAT(worker({"report", folder, folder, "--format", "csv"}).output, testing::ContainsRegex("id,title(.*\n){3}"));
  EXPECT_THAT(worker({"report", folder, "--format", "html"}).output, HasSubstr("<polyline"));
  EXPECT_THAT(worker({"report", folder, "--format", "markdown"}).output, HasSubstr("| Outcome | finished"));
  const auto lines = split(worker({"report", folder + "/", "--format", "csv"}).output, '\n');
  EXPECT_THAT(lines[1], testing::StartsWith(training.path().filename().string() + ","));
  EXPECT_EQ(worker({"report", "/nonexistent"}).exitCode, 4);
}

TEST_F(CommandLineTest, ARunCanBeMadeFirstAndStartedLater) {
  auto command = trainCommand("run", tinyTraining(1) + Settings{"train.sample_every=0"});
  command.push_back("--only-create");
  ASSERT_EQ(worker(command).exitCode, 0);
  EXPECT_EQ(run("run").outcome(), RunOutcome::Waiting);
  EXPECT_EQ(worker({"run", run("run").path().string()}).exitCode, 0);
  const auto environment = LineReader(run("run").environmentFile()).poll().value();
  ASSERT_EQ(environment.size(), 1u);
  EXPECT_EQ(environment[0]["threads"], 1);
}

TEST_F(CommandLineTest, ARunThatIsNotThereIsBadInputBesideOneThatIs) {
  const std::string known = (sourceFolder() / "resources" / "examples" / "opt12").string();
  const std::string missing = (m_folder / "missing").string();
  const std::vector<std::vector<std::string>> commands{
      {"compare", known, missing}, {"report", known, missing}, {"run", missing}, {"pack", missing, "--output", (m_folder / "runs.zip").string()}};
  for (const auto& command : commands) {
    const ProcessEnd end = worker(command);
    EXPECT_EQ(end.exitCode, static_cast<int>(ExitCode::Data)) << command.front();
    EXPECT_EQ(end.output, "") << command.front();
    EXPECT_THAT(end.errors, HasSubstr(missing + " is no run folder")) << command.front();
  }
  EXPECT_THAT(worker({"compare", known, missing}).errors, HasSubstr("Name the folder of a run"));
  EXPECT_EQ(worker({"compare", known}).exitCode, 0);
}

TEST_F(CommandLineTest, PassesSetTheNumberOfSteps) {
  const RunDirectory training =
      trained("run", tinyTraining(1) + Settings{"train.passes=2", "train.accumulate=2", "train.sample_every=0"});
  const auto steps = eventsOf(training, event::kStep);
  ASSERT_EQ(steps.size(), 3u); // 2 passes of 3 subjects, 2 volumes a step
  EXPECT_EQ(steps.back().fields["passes"], 2.0);
}

TEST_F(CommandLineTest, TheLossFalls) {
  const RunDirectory training = trained("run", tinyTraining(40) + Settings{"train.sample_every=0", "train.log_every=1"});
  const auto steps = eventsOf(training, event::kStep);
  ASSERT_EQ(steps.size(), 40u);
  EXPECT_NEAR(steps.front().fields["loss"].get<double>(), 0.798, 0.08); // at first that of a network that predicts nothing
  EXPECT_LT(steps.back().fields["loss_smoothed"].get<double>(), 0.8 * steps.front().fields["loss"].get<double>());
}
