// SPDX-License-Identifier: Apache-2.0
// voxlab-fake-worker: speaks the worker's command line and run folder, and only pretends to work. See misbehaviour.h.
#include "core/base/text.h"
#include "tests/support/fake_worker/fake_catalog.h"
#include "tests/support/fake_worker/fake_job.h"
#include <csignal>
#include <cstdio>

using namespace voxlab;

namespace {
using Words = std::vector<std::string>;

int usage(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return static_cast<int>(ExitCode::Usage);
}

int describe(const fake::Misbehaviour& misbehaviour) {
  if (misbehaviour.describe == "hang")
    std::raise(SIGSTOP);
  if (misbehaviour.describe == "fail")
    return static_cast<int>(ExitCode::Internal);
  const std::string text = misbehaviour.describe == "garbage" ? "Segmentation fault" : toJson(fake::catalog()).dump(2);
  std::printf("%s\n", text.c_str());
  return 0;
}

// --spec FILE, --preset NAME, --set key=value, --runs DIR, --run-dir DIR
int launch(const std::string& kind, const Words& words, const fake::Misbehaviour& misbehaviour) {
  const Catalog catalog = fake::catalog();
  JobSpec spec(kind);
  std::string runs = ".", runFolder;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string &option = words[i], &value = words[i + 1];
    if (option == "--spec") {
      auto read = JobSpec::read(value);
      if (!read)
        return usage(read.error().message);
      spec = std::move(*read);
    } else if (option == "--set") {
      if (const Status set = spec.applyAssignment(value, catalog); !set)
        return usage(set.error().message);
    } else if (option == "--preset" && catalog.preset(kind, value)) {
      spec.apply(*catalog.preset(kind, value));
    } else if (option == "--runs") {
      runs = value;
    } else if (option == "--run-dir") {
      runFolder = value;
    } else {
      return usage("Unknown option " + option + ".");
    }
  }
  spec.fillDefaults(catalog);
  for (const SpecProblem& problem : spec.problems(catalog))
    return usage(problem.key + ": " + problem.message);
  const auto run = runFolder.empty() ? RunDirectory::create(runs, spec, {}) : RunDirectory::createAt(runFolder, spec, {});
  if (!run)
    return usage(run.error().message);
  std::printf("%s\n", run->path().c_str());
  std::fflush(stdout);
  return static_cast<int>(fake::runJob(*run, fake::Begin::Anew, misbehaviour));
}

int run(const Words& words, const fake::Misbehaviour& misbehaviour) {
  if (words.empty() || !RunDirectory::looksLikeRun(words[0]))
    return usage("run needs a run folder.");
  const bool resume = words.size() > 1 && words[1] == "--resume";
  return static_cast<int>(fake::runJob(RunDirectory(words[0]), resume ? fake::Begin::Resume : fake::Begin::Anew, misbehaviour));
}

int checkDataset() {
  std::printf("%s\n", R"({"schema":"1.0","subjects":2,"errors":0,"warnings":0,"findings":[]})");
  return 0;
}
} // namespace

int main(int argc, char** argv) {
  const Words words(argv + 1, argv + argc);
  const fake::Misbehaviour misbehaviour = fake::fromEnvironment();
  if (words.empty())
    return usage("voxlab-fake-worker describe | train | sample | bench | run | dataset check");
  const Words rest(words.begin() + 1, words.end());
  if (words[0] == "describe")
    return describe(misbehaviour);
  if (words[0] == "run")
    return run(rest, misbehaviour);
  if (words[0] == "dataset")
    return checkDataset();
  for (const auto kind : {"train", "sample", "bench", "profile", "verify"})
    if (words[0] == kind)
      return launch(kind, rest, misbehaviour);
  return usage("Unknown command " + words[0] + ".");
}
