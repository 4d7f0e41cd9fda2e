// SPDX-License-Identifier: Apache-2.0
// The only file that knows CLI11.
#include "app/worker/command_line.h"
#include "app/worker/log.h"
#include "app/worker/new_run.h"
#include "app/worker/verbs.h"
#include <CLI/CLI.hpp>
#include <functional>

namespace voxlab {
namespace {
// Options outlive parsing: each verb's are kept by its own callback.
class CommandLine {
public:
  CommandLine() {
    m_app.require_subcommand(1);
    m_app.set_version_flag("--version", VOXLAB_VERSION);
    m_app.set_help_all_flag("--help-all", "Help of every command");
    m_app.add_flag("-v,--verbose", m_verbose, "More messages");
    m_app.add_flag("-q,--quiet", m_quiet, "Warnings and errors only");
    addJobs();
    addBench();
    addVerify();
    addProfile();
    addRun();
    addCountKernels();
    addDescribe();
    addDoctor();
    addDataset();
    addInspect();
    addImport();
    addExport();
    addReport();
    addCompare();
    addExperiment();
    addBundles();
  }

  ExitCode run(int argc, char** argv) {
    const auto isNamed = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && m_app.get_subcommands(isNamed).empty()) {
      std::fprintf(stderr, "There is no command \"%s\". Run with --help for a list.\n", argv[1]);
      return ExitCode::Usage;
    }
    try {
      m_app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      return m_app.exit(e) == 0 ? ExitCode::Finished : ExitCode::Usage;
    }
    if (m_verbose || m_quiet)
      log::setLevel(m_verbose ? log::Level::Debug : log::Level::Warning);
    return m_verb();
  }

private:
  // A command with its options, and what to do with them.
  template <class Options>
  CLI::App& verb(CLI::App& parent, const std::string& name, const std::string& help, std::shared_ptr<Options> options,
                 ExitCode (*work)(const Options&)) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->callback([this, options, work] { m_verb = [options, work] { return work(*options); }; });
    return *command;
  }

  static CLI::Validator formatNamed(const std::map<std::string, OutputFormat>& names) {
    std::string known;
    for (const auto& [name, format] : names)
      known += (known.empty() ? "" : "|") + name;
    const auto read = [names, known](std::string& text) {
      const auto found = names.find(CLI::detail::to_lower(text));
      if (found == names.end())
        return "there is no format \"" + text + "\", but " + known + ".";
      text = std::to_string(static_cast<int>(found->second));
      return std::string();
    };
    return CLI::Validator(read, known, "format");
  }

  static CLI::Validator atLeast(double least) {
    const std::string words = "has to be " + std::to_string(static_cast<int>(least)) + " or more";
    const auto check = [least, words](const std::string& text) {
      double value = 0;
      return CLI::detail::lexical_cast(text, value) && value >= least ? std::string() : words + ", not " + text + ".";
    };
    CLI::Validator validator;
    validator.operation([check](std::string& text) { return check(text); });
    return validator;
  }

  // An option that may be repeated and takes one word each time: its help must not promise more.
  static void oneEach(CLI::Option* option, const char* word) {
    option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(word);
  }

  static void addFormat(CLI::App& command, OutputFormat& format, const std::map<std::string, OutputFormat>& names) {
    command.add_option("--format", format, "How the result is written to stdout")
        ->transform(formatNamed(names));
  }

  void addJobs() {
    const std::pair<const char*, const char*> kinds[] = {{"train", "Trains a network on a folder of volumes"},
                                                         {"sample", "Draws volumes from a trained network"},
                                                         {"quality", "Measures how good synthetic volumes are"}};
    for (const auto& [kind, help] : kinds) {
      auto o = std::make_shared<LaunchOptions>();
      o->kind = kind;
      addLaunch(verb(m_app, kind, help, o, launch), *o);
    }
  }

  static void addLaunch(CLI::App& c, LaunchOptions& o) {
    c.add_option("--spec", o.specFile, "Job specification (spec.json of a run, or written by hand)")->check(CLI::ExistingFile);
    c.add_option("--preset", o.preset, "Named set of values, see describe");
    oneEach(c.add_option("--set", o.assignments, "One value of the job; may be repeated; lists are separated by commas"), "KEY=VALUE");
    auto* runs = c.add_option("--runs", o.runs, "Folder in which the run's folder is made")->capture_default_str();
    c.add_option("--run-dir", o.runFolder, "The run's folder itself, empty or absent")->excludes(runs);
    c.add_option("--title", o.title, "What the run is, in words");
    c.add_option("--parent", o.parent, "Id of the run that this one came from");
    c.add_flag("--detach", o.detach, "Works in the background; messages go to the run's worker.log");
    c.add_flag("--only-create", o.onlyCreate, "Makes the run's folder and prints it, without starting");
  }

  // --NAME VALUE as a short way to say --set KEY=VALUE.
  static void addShort(CLI::App& c, LaunchOptions& o, const std::string& name, const std::string& key, const std::string& help) {
    c.add_option_function<std::string>(name, [&o, key](const std::string& value) { o.assignments.push_back(key + "=" + value); },
                                       help + " (" + key + ")");
  }

  static void addSize(CLI::App& c, LaunchOptions& o) {
    const auto set = [&o](const std::string& size) { o.assignments.push_back("data.size=" + allSides(size)); };
    c.add_option_function<std::string>("--size", set, "Voxels along each axis: 128, or 192,192,144 (data.size)");
  }

  void addBench() {
    auto o = std::make_shared<MeasureOptions>();
    o->launch.kind = "bench";
    CLI::App& c = verb(m_app, "bench", "Measures modes: time, memory, energy, and how far results differ from Baseline", o, measure);
    addLaunch(c, o->launch);
    addShort(c, o->launch, "--modes", "bench.modes", "Modes, separated by commas");
    addShort(c, o->launch, "--what", "bench.what", "train, sample or both");
    addSize(c, o->launch);
    addShort(c, o->launch, "--batch", "train.batch", "Volumes a step");
    addShort(c, o->launch, "--steps", "bench.steps", "Timed steps of each mode");
    addShort(c, o->launch, "--device", "device", "auto, cpu, cuda:0");
    c.add_flag("--kernels", o->kernels, "Measures each fused kernel beside what it replaces and beside a copy of its bytes, instead of modes; takes --size, --device and --format text or json")->excludes(c.get_option("--modes"));
    addFormat(c, o->format, reportFormats());
  }

  void addVerify() {
    auto o = std::make_shared<MeasureOptions>();
    o->launch.kind = "verify";
    CLI::App& c = verb(m_app, "verify", "Compares a mode with Baseline on the same inputs, layer by layer; exit code 7 when it differs too much", o, measure);
    addLaunch(c, o->launch);
    addShort(c, o->launch, "--mode", "mode", "The mode");
    addSize(c, o->launch);
    addShort(c, o->launch, "--tolerance", "verify.tolerance", "Relative difference of the prediction that passes");
    addShort(c, o->launch, "--device", "device", "auto, cpu, cuda:0");
    addFormat(c, o->format, reportFormats());
  }

  void addProfile() {
    auto o = std::make_shared<LaunchOptions>();
    o->kind = "profile";
    CLI::App& c = verb(m_app, "profile", "Records where the time of some steps goes, kernel by kernel", o, launch);
    addLaunch(c, *o);
    addShort(c, *o, "--mode", "mode", "Optimisation mode");
    addShort(c, *o, "--what", "bench.what", "train, sample or both");
    addSize(c, *o);
    addShort(c, *o, "--batch", "train.batch", "Volumes a step");
    addShort(c, *o, "--steps", "bench.steps", "Recorded steps of each kind");
    addShort(c, *o, "--device", "device", "auto, cpu, cuda:0");
  }

  static std::map<std::string, OutputFormat> reportFormats() {
    return {{"text", OutputFormat::PlainText},
            {"json", OutputFormat::JsonDocument},
            {"csv", OutputFormat::CsvTable},
            {"html", OutputFormat::HtmlPage},
            {"markdown", OutputFormat::MarkdownText}};
  }

  void addRun() {
    auto o = std::make_shared<RunOptions>();
    CLI::App& c = verb(m_app, "run", "Does the job of a run folder that exists", o, voxlab::run);
    c.add_option("RUN", o->runFolder, "The run's folder")->required();
    c.add_flag("--resume", o->resume, "Goes on from the newest checkpoint");
    c.add_flag("--detach", o->detach, "Works in the background; messages go to the run's worker.log");
  }

  void addCountKernels() {
    auto o = std::make_shared<CountOptions>();
    CLI::App& c = verb(m_app, "count-kernels", "What a profile job has Nsight Compute watch", o, countKernels);
    c.group(""); // not in the help
    c.add_option("RUN", o->runFolder)->required();
    c.add_option("--what", o->what)->required();
    c.add_option("--plan", o->plan)->required();
  }

  void addDescribe() {
    CLI::App* c = m_app.add_subcommand("describe", "Prints what this build can do on this machine, as JSON");
    c->callback([this] { m_verb = [] { return describe(); }; });
  }

  void addDoctor() {
    auto o = std::make_shared<OutputFormat>(OutputFormat::PlainText);
    CLI::App* c = m_app.add_subcommand("doctor", "Looks whether devices and libraries work");
    addFormat(*c, *o, {{"text", OutputFormat::PlainText}, {"json", OutputFormat::JsonDocument}});
    c->callback([this, o] { m_verb = [o] { return doctor(*o); }; });
  }

  void addDataset() {
    CLI::App* group = m_app.add_subcommand("dataset", "Training data");
    group->require_subcommand(1);
    auto o = std::make_shared<DatasetCheckOptions>();
    CLI::App& c = verb(*group, "check", "Looks at every file of a data set before a job begins", o, checkDataset);
    c.add_option("IMAGES", o->images, "Folder of images, or one that holds the folders image and mask")->required();
    c.add_option("MASKS", o->masks, "Folder of masks");
    oneEach(c.add_option("--set", o->assignments, "How the job would read them, as data.…=value; may be repeated"), "KEY=VALUE");
    addFormat(c, o->format, {{"text", OutputFormat::PlainText}, {"json", OutputFormat::JsonDocument}});
  }

  void addInspect() {
    struct Inspect {
      Path file;
      OutputFormat format = OutputFormat::PlainText;
    };
    auto o = std::make_shared<Inspect>();
    CLI::App* c = m_app.add_subcommand("inspect", "Says what a volume, checkpoint or weight file holds");
    c->add_option("FILE", o->file)->required();
    addFormat(*c, o->format, {{"text", OutputFormat::PlainText}, {"json", OutputFormat::JsonDocument}});
    c->callback([this, o] { m_verb = [o] { return inspect(o->file, o->format); }; });
  }

  void addImport() {
    auto o = std::make_shared<ImportOptions>();
    CLI::App& c = verb(m_app, "import", "Makes runs of traces (Chrome, Kineto) and Nsight Compute's CSV pages, and checkpoints of published .pt files; prints their paths", o, import);
    c.add_option("FILES", o->files)->required();
    c.add_option("--runs", o->runs, "Folder in which they are made")->capture_default_str();
  }

  void addExport() {
    auto o = std::make_shared<ExportOptions>();
    CLI::App& c = verb(m_app, "export", "Writes a checkpoint as one file for other programs", o, exportCheckpoint);
    c.add_option("CHECKPOINT", o->checkpoint, "Checkpoint folder, .safetensors or .pt")->required();
    c.add_option("--format", o->format)->check(CLI::IsMember({"pt", "safetensors"}))->capture_default_str();
    c.add_option("--weights", o->weights, "Which weights go into a .safetensors file")
        ->check(CLI::IsMember({"ema", "model"}))
        ->capture_default_str();
    c.add_option("--precision", o->precision, "Of a .safetensors file")
        ->check(CLI::IsMember({"float32", "float16", "bfloat16"}))
        ->capture_default_str();
    c.add_option("-o,--output", o->output, "File to write")->required();
  }

  void addReport() {
    auto o = std::make_shared<ReportOptions>();
    CLI::App& c = verb(m_app, "report", "Sums up runs: what they were, how they went", o, report);
    c.add_option("RUNS", o->runs)->required();
    addFormat(c, o->format,
              {{"text", OutputFormat::PlainText},
               {"json", OutputFormat::JsonDocument},
               {"csv", OutputFormat::CsvTable},
               {"html", OutputFormat::HtmlPage},
               {"markdown", OutputFormat::MarkdownText}}); // of benchmarks
  }

  static void addForetell(CLI::App& c, ForetellOptions& o) {
    c.add_option("--sampling-steps", o.samplingSteps, "Steps of the volume whose latency, energy and cost the report foretells")->check(CLI::Range(1, 100000))->capture_default_str();
    c.add_option("--training-steps", o.trainingSteps, "Steps of the training whose time, energy and cost the report foretells")->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000000}))->capture_default_str();
    oneEach(c.add_option("--price", o.prices, "What an hour of a device costs: 3.50, or \"NVIDIA H200=3.50\"; may be repeated"), "PRICE");
    c.add_option("--currency", o.currency, "Of the prices")->capture_default_str();
  }

  void addCompare() {
    auto o = std::make_shared<CompareOptions>();
    CLI::App& c = verb(m_app, "compare", "Sets runs against a baseline: benchmarks, profiles, samples and quality results", o, compare);
    c.add_option("RUNS", o->runs, "Run folders, from any machine")->required();
    c.add_option("--baseline", o->baseline, "A run (folder, id or title) or a mode; otherwise the mode baseline, else the first");
    c.add_option("--title", o->title, "Heading of the report");
    c.add_option("-o,--output", o->output, "File to write; otherwise stdout");
    addForetell(c, o->foretell);
    addFormat(c, o->format, reportFormats());
  }

  void addExperiment() {
    auto o = std::make_shared<ExperimentOptions>();
    CLI::App& c = verb(m_app, "experiment", "Modes × samplers × steps × devices: speed, volumes at equal seeds, their quality, profiles, a report; given again after a crash, it goes on", o, experiment);
    c.add_option("-o,--output", o->output, "Folder of the runs, report.html, .json, .csv, .txt and experiment.voxrun")->required();
    c.add_option("--modes", o->modes, "Modes, separated by commas")->delimiter(',')->capture_default_str();
    c.add_option("--samplers", o->samplers, "SAMPLER:STEPS or SAMPLER:STEPS:ETA, separated by commas")->delimiter(',')->capture_default_str();
    c.add_option("--devices", o->devices, "auto, cpu, cuda:0, separated by commas")->delimiter(',')->capture_default_str();
    c.add_option("--size", o->size, "Voxels along each axis for speed and profiles: 128, or 192,192,144")->capture_default_str();
    c.add_option("--steps", o->benchmarkSteps, "Timed steps of each mode; 0: no benchmark")->check(atLeast(0))->capture_default_str();
    c.add_option("--profile-steps", o->profileSteps, "Recorded steps of each mode; 0: no profiles")->check(atLeast(0))->capture_default_str();
    c.add_option("--checkpoint", o->checkpoint, "Trained network that draws the volumes; without it speed only");
    c.add_option("--masks", o->masks, "Masks to draw volumes for");
    c.add_option("--real", o->real, "Real volumes to measure quality against; without them volumes are compared with what Baseline drew from the same seeds, and with their masks");
    c.add_option("--training", o->training, "What the network was trained on, to look for copies; otherwise the real volumes");
    c.add_option("--count", o->volumesPerMask, "Volumes a mask, each with its own seed")->check(atLeast(1))->capture_default_str();
    c.add_option("--seed", o->seed, "First seed, the same in every mode")->check(atLeast(0))->capture_default_str();
    oneEach(c.add_option("--set", o->assignments, "A value for the jobs that know it; may be repeated"), "KEY=VALUE");
    c.add_option("--with", o->recorded, "Runs that were recorded before or elsewhere, beside these in the report");
    c.add_option("--title", o->title, "Heading of the report")->capture_default_str();
    addForetell(c, o->foretell);
    c.add_option("--limit", o->limit_s, "Seconds after which no other job is begun; 0: no limit")->check(atLeast(0))->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    c.add_flag("--keep-failed", o->keepFailed, "Does not try failed jobs again");
  }

  void addBundles() {
    auto p = std::make_shared<PackVerbOptions>();
    CLI::App& packing = verb(m_app, "pack", "Puts runs into one file to hand on", p, pack);
    packing.add_option("RUNS", p->runs, "Run folders")->required();
    packing.add_option("-o,--output", p->output, "File to write, NAME.voxrun")->required();
    packing.add_flag("--with-checkpoints", p->withCheckpoints, "Weights, too");
    packing.add_flag("--with-names", p->withNames, "Absolute paths, host names and the log as they are");
    auto u = std::make_shared<UnpackOptions>();
    CLI::App& unpacking = verb(m_app, "unpack", "Opens such a file; prints the path of each run, one a line", u, unpack);
    unpacking.add_option("FILE", u->bundle)->required();
    unpacking.add_option("--runs", u->runs, "Folder in which the runs are made")->capture_default_str();
  }

  CLI::App m_app{"Voxlab's worker: trains and samples 3D diffusion networks, without a desktop.", "voxlab-worker"};
  std::function<ExitCode()> m_verb;
  bool m_verbose = false, m_quiet = false;
};
} // namespace

ExitCode runCommandLine(int argc, char** argv) {
  return CommandLine().run(argc, argv);
}

} // namespace voxlab
