// SPDX-License-Identifier: Apache-2.0
// The worker's commands, one file each in verbs/. Options come parsed (command_line.cpp); results go to stdout, messages to
// stderr. Verbs return the exit code or throw Failure.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <string>
#include <vector>

namespace voxlab {

using Path = std::filesystem::path;

enum class OutputFormat { Unknown, PlainText, JsonDocument, CsvTable, HtmlPage, MarkdownText };

struct LaunchOptions { // train, sample, …
  std::string kind;
  Path specFile;                        // empty: defaults
  std::string preset;                   // empty: none
  std::vector<std::string> assignments; // key=value, applied last
  Path runs = ".", runFolder;           // runFolder wins
  std::string title, parent;
  bool detach = false, onlyCreate = false;
};
ExitCode launch(const LaunchOptions& options);

struct MeasureOptions { // bench, verify: launches, then prints what came out
  LaunchOptions launch;
  bool kernels = false; // each fused kernel by itself, without a run
  OutputFormat format = OutputFormat::PlainText;
};
ExitCode measure(const MeasureOptions& options);
ExitCode benchKernels(const MeasureOptions& options);

struct RunOptions {
  Path runFolder;
  bool resume = false, detach = false;
};
ExitCode run(const RunOptions& options);

struct CountOptions { // for a job of kind profile, not for people
  Path runFolder, plan;
  std::string what;
};
ExitCode countKernels(const CountOptions& options);

ExitCode describe();
ExitCode doctor(OutputFormat format);

struct DatasetCheckOptions {
  Path images, masks; // no masks: images may hold the sub-folders of both
  std::vector<std::string> assignments;
  OutputFormat format = OutputFormat::PlainText;
};
ExitCode checkDataset(const DatasetCheckOptions& options);

ExitCode inspect(const Path& file, OutputFormat format);

struct ImportOptions {
  std::vector<Path> files;
  Path runs = ".";
};
ExitCode import(const ImportOptions& options);

struct ExportOptions {
  Path checkpoint, output;
  std::string format = "pt";         // pt, safetensors
  std::string weights = "ema";       // of a .safetensors file: ema, model
  std::string precision = "float32"; // likewise: float32, float16, bfloat16
};
ExitCode exportCheckpoint(const ExportOptions& options);

struct ReportOptions {
  std::vector<Path> runs;
  OutputFormat format = OutputFormat::PlainText;
};
ExitCode report(const ReportOptions& options);

// What a comparison foretells: a volume of so many sampling steps, a training of so many steps.
struct ForetellOptions {
  int samplingSteps = 50;
  std::int64_t trainingSteps = 100000;
  std::vector<std::string> prices; // of a device's hour: "3.50" of any, "NVIDIA H200=3.50" of one
  std::string currency = "€";
};

struct CompareOptions {
  std::vector<Path> runs;
  std::string baseline; // a run's folder, id or title, or a mode
  std::string title;
  OutputFormat format = OutputFormat::PlainText;
  Path output; // empty: stdout
  ForetellOptions foretell;
};
ExitCode compare(const CompareOptions& options);

struct ExperimentOptions {
  Path output;
  std::vector<std::string> modes{"baseline", "opt1", "opt2", "opt12", "bf16", "fused_tf32", "fused_bf16"};
  std::vector<std::string> samplers{"dpm_solver:20", "ddim:50", "ddpm:250"}; // SAMPLER:STEPS[:ETA]
  std::vector<std::string> devices{"auto"};
  std::string size = "128"; // of the benchmark and the profiles: one side, or three
  int benchmarkSteps = 9, profileSteps = 1;
  Path checkpoint, masks, real, training;
  std::int64_t volumesPerMask = 1, seed = 0;
  std::vector<std::string> assignments; // key=value, for the jobs that know the key
  std::vector<Path> recorded;           // runs that stand in the report beside the experiment's
  std::string title = "Modes, samplers and steps";
  ForetellOptions foretell;             // in the report
  double limit_s = 0;      // takes nothing new up after so long; 0: no limit
  bool keepFailed = false; // failed jobs are not tried again
};
ExitCode experiment(const ExperimentOptions& options);

struct PackVerbOptions {
  std::vector<Path> runs;
  Path output;
  bool withCheckpoints = false, withNames = false;
};
ExitCode pack(const PackVerbOptions& options);

struct UnpackOptions {
  Path bundle, runs = ".";
};
ExitCode unpack(const UnpackOptions& options);

} // namespace voxlab
