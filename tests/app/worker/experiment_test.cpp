// SPDX-License-Identifier: Apache-2.0
// A whole experiment in one process, and what is left of it when that process is killed.
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/app/worker/worker_fixture.h"
#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

namespace {
class ExperimentTest : public WorkerTest {
protected:
  void SetUp() override {
    m_checkpoint = trained("train", tinyTraining(2) + Settings{"train.sample_every=0"}).path();
    fs::create_directories(m_folder / "e/runs"); // to be watched
  }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"experiment", "-o", (m_folder / "e").string(), "--modes", "baseline,opt2,fused_tf32", "--devices", "cpu", "--samplers", "ddim:2,dpm_solver:1:0",
                                   "--size", "8", "--steps", "2", "--checkpoint", m_checkpoint.string(), "--masks", masks().string(), "--real", images().string()};
    for (const char* setting : {"threads=1", "bench.turns=1", "bench.warmup=0", "model.base_channels=32", "model.multipliers=1", "model.attention_factors=2", "quality.size=16,16,16"})
      words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  RunDirectory job(const std::string& name) const { return run("e/runs/" + name); }
  std::string report(const std::string& ending) const { return readTextFile(m_folder / "e" / ("report." + ending)).value_or(""); }

  fs::path m_checkpoint;
};
} // namespace

TEST_F(ExperimentTest, MeasuresDrawsJudgesProfilesAndReports) {
  const ProcessEnd end = worker(command({"--modes", "bf16"})); // beside the others
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("report.html"));
  EXPECT_THAT(end.errors, HasSubstr("fused_tf32 is left out on cpu"));
  for (const char* name : {"speed_8", "sample_ddim_2_opt2", "quality_ddim_2_opt2", "sample_dpm_solver_1_eta0_baseline", "profile_8_baseline"}) {
    EXPECT_EQ(job(name).outcome(), RunOutcome::Finished) << name;
    EXPECT_THAT(job(name).logTail(), Not(HasSubstr("Job 2 of"))) << name; // each job's messages in its own log
  }
  EXPECT_FALSE(fs::exists(job("sample_ddim_2_fused_tf32").path()));
  EXPECT_FALSE(fs::exists(job("quality_ddim_2_fused_tf32").path()));
  const Json document = Json::parse(report("json"));
  EXPECT_EQ(document.at("training").at("runs").size(), 3u);
  EXPECT_EQ(document.at("volumes").size(), 6u);
  EXPECT_TRUE(document.at("volumes")[0].at("quality").at("mae").is_number());
  for (const Json& point : document.at("volumes")) {
    const Json &ssim = point.at("quality").at("equal_seed_ssim"), &psnr = point.at("quality").at("equal_seed_psnr");
    ASSERT_TRUE(ssim.is_number()) << point.at("name");
    EXPECT_EQ(point.at("mode") == "bf16", ssim.get<double>() < 1) << point.at("name") << " " << ssim; // layout alone changes nothing on a CPU
    EXPECT_EQ(point.at("mode") == "bf16", psnr.is_number()) << point.at("name");
    EXPECT_GT(ssim.get<double>(), 0.9) << point.at("name");
  }
  EXPECT_EQ(document.at("volumes")[3].at("name"), "baseline · dpm_solver 1, η 0");
  EXPECT_THAT(report("html"), HasSubstr("PSNR to Baseline at equal seeds: 20·log10"));
  EXPECT_THAT(report("html"), HasSubstr("3D SSIM to Baseline at equal seeds against time"));
  EXPECT_THAT(report("html"), HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(report("txt"), HasSubstr("could not be measured"));
  EXPECT_THAT(report("csv"), HasSubstr("opt2"));
  EXPECT_TRUE(fs::exists(m_folder / "e/experiment.voxrun"));
}

TEST_F(ExperimentTest, GoesOnAfterItWasKilled) {
  Process first(program("voxlab-worker"), command());
  ASSERT_TRUE(waitFor(first, job("speed_8"), 1, [](const Event& e) { return e.type == event::kBench; }));
  first.send(SIGKILL);
  EXPECT_EQ(first.wait().signal, SIGKILL);
  EXPECT_EQ(job("speed_8").outcome(), RunOutcome::Lost);
  Process second(program("voxlab-worker"), command());
  ASSERT_TRUE(waitFor(second, job("sample_ddim_2_baseline"), 1, [](const Event& e) { return e.type == event::kSample; }));
  second.send(SIGKILL);
  second.wait();
  const auto finished = fs::last_write_time(job("speed_8").finishedFile());

  const ProcessEnd end = worker(command());
  ASSERT_EQ(end.exitCode, 0) << end.errors;
  EXPECT_EQ(fs::last_write_time(job("speed_8").finishedFile()), finished); // what has ended is left alone
  EXPECT_EQ(job("sample_ddim_2_baseline").outcome(), RunOutcome::Finished);
  const Json values = Json::parse(report("json")).at("training").at("measures")[0].at("values");
  for (const Json& value : values)
    EXPECT_EQ(value.at("count"), 2); // nothing of the killed start
}

TEST_F(ExperimentTest, StopsAndEndsInTimeWithAReportOfWhatThereIs) {
  Process first(program("voxlab-worker"), command());
  ASSERT_TRUE(waitFor(first, job("sample_dpm_solver_1_eta0_baseline"), 1, [](const Event& e) { return e.type == event::kState; }));
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().exitCode, 6);
  EXPECT_THAT(report("txt"), HasSubstr("Training step"));
  const ProcessEnd end = worker(command({"--limit", "0.0001"}));
  EXPECT_EQ(end.exitCode, 6);
  EXPECT_THAT(end.errors, HasSubstr("The time is over"));
}

TEST_F(ExperimentTest, RefusesWhatCannotBeDone) {
  EXPECT_THAT(worker(command({"--modes", "opt3"})).errors, HasSubstr("opt3"));
  EXPECT_EQ(worker({"experiment", "-o", (m_folder / "x").string(), "--samplers", "euler:5", "--checkpoint", "w"}).exitCode, 2);
  EXPECT_EQ(worker({"experiment", "-o", (m_folder / "x").string(), "--set", "bench.stpes=5"}).exitCode, 2);
  EXPECT_FALSE(fs::exists(m_folder / "x/runs"));
  const ProcessEnd nothing = worker(command({"--limit", "0.0001"}));
  ASSERT_EQ(nothing.exitCode, 6);
  EXPECT_EQ(nothing.output, "") << "there is no report to name";
  const ProcessEnd other = worker(command({"--seed", "3"}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.errors, HasSubstr("other settings. In its job speed_8 seed was 0 and is 3 now"));
  EXPECT_THAT(other.errors, HasSubstr("--set seed=0"));
}

// A setting that came with a newer program: the older one did what its default says, so the experiment goes on.
TEST_F(ExperimentTest, GoesOnWithWhatAnOlderProgramBegan) {
  const ProcessEnd nothing = worker(command({"--limit", "0.0001"}));
  ASSERT_EQ(nothing.exitCode, 6);
  EXPECT_EQ(nothing.output, "") << "there is no report to name";
  const fs::path file = job("speed_8").path() / "spec.json";
  Json spec = readJsonFile(file).value();
  ASSERT_EQ(spec.erase("deterministic"), 1u);
  ASSERT_TRUE(writeJsonFile(file, spec));
  EXPECT_EQ(worker(command({"--limit", "0.0001"})).exitCode, 6);
  spec["deterministic"] = true;
  ASSERT_TRUE(writeJsonFile(file, spec));
  const ProcessEnd other = worker(command({"--limit", "0.0001"}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_THAT(other.errors, HasSubstr("deterministic was true and is false now"));
}

TEST_F(ExperimentTest, ItsReportSaysTheOneCommandThatMakesItAgain) {
  const fs::path masksElsewhere = m_folder / "it's my $masks";
  fs::copy(masks(), masksElsewhere);
  const std::vector<std::string> words{"experiment", "-o", (m_folder / "e").string(), "--modes", "opt2,baseline", "--devices", "cpu", "--samplers", "ddim:2:0.5,ddpm:0", "--size", "8,8,16", "--steps", "1", "--profile-steps", "0", "--seed", "3",
                                 "--count", "2", "--checkpoint", m_checkpoint.string(), "--masks", masksElsewhere.string(), "--real", images().string()};
  Settings settings{"threads=1", "bench.turns=1", "bench.warmup=0", "model.base_channels=32", "model.multipliers=1", "model.attention_factors=2", "quality.size=16,16,16", "quality.measures=voxel,equal_seeds", "sample.clamp=false"};
  const auto given = [&] {
    auto all = words;
    for (const std::string& setting : settings)
      all.insert(all.end(), {"--set", setting});
    return all;
  };
  const ProcessEnd first = worker(given());
  ASSERT_EQ(first.exitCode, 0) << first.errors;
  const Json again = Json::parse(report("json")).at("run_again");
  ASSERT_EQ(again.size(), 1u) << again;
  const ProcessEnd second = runProcess("/bin/sh", {"-c", "cd '" + m_folder.path().string() + "' && PATH='" + program("voxlab-worker").parent_path().string() + "':$PATH && " + again[0].get<std::string>()});
  ASSERT_EQ(second.exitCode, 0) << second.errors << again;
  std::size_t jobs = 0;
  for (const auto& entry : fs::directory_iterator(m_folder / "e/runs")) {
    const fs::path twin = m_folder / "e_again/runs" / entry.path().filename();
    const auto valuesIn = [](const fs::path& run) {
      auto lines = split(readTextFile(run / "spec.json").value_or(""), '\n');
      for (std::string& line : lines) {
        line.erase(line.find_last_not_of(',') + 1);
        if (const auto at = line.find("/e_again/"); at != std::string::npos)
          line.erase(at + 2, 6);
      }
      std::sort(lines.begin(), lines.end());
      return lines;
    };
    EXPECT_EQ(valuesIn(entry.path()), valuesIn(twin)) << twin;
    ++jobs;
  }
  EXPECT_EQ(jobs, 9u); // a benchmark; volumes and their quality, two ways in two modes
  std::reverse(settings.begin(), settings.end());
  const ProcessEnd other = worker(given());
  EXPECT_EQ(other.exitCode, 0) << "the order of settings changes nothing: " << other.errors;
}
