// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_again.h"
#include "core/analysis/found_experiment.h"
#include "core/protocol/job_parameters.h"
#include <algorithm>
#include <set>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

// Choices depend on a machine, and are not needed to tell values from defaults.
const Catalog& everyParameter() {
  static const Catalog catalog = [] {
    Catalog known;
    known.parameters = jobParameters({});
    return known;
  }();
  return catalog;
}

std::string inDoubleQuotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\"\\$`").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

// "e" of "e/runs"; a folder of many runs has no such name.
std::string nameOfExperiment(const fs::path& runs) { return runs.filename() == "runs" && runs.parent_path().has_filename() ? runs.parent_path().filename().string() : "experiment"; }

class Lines {
public:
  Lines(const std::vector<ComparisonInput>& inputs, fs::path home) : m_inputs(inputs), m_home(std::move(home)) {}

  // One command for each folder whose runs come from one experiment; the others by themselves.
  void addRuns() {
    std::vector<fs::path> folders;
    for (const ComparisonInput& input : m_inputs)
      if (std::find(folders.begin(), folders.end(), input.folder.parent_path()) == folders.end())
        folders.push_back(input.folder.parent_path());
    for (const fs::path& folder : folders)
      while (addExperiment(folder)) {} // that of another machine may lie beside it
    for (std::size_t n = 0; n < m_inputs.size(); ++n)
      if (!m_told.count(n))
        addRun(m_inputs[n]);
  }
  bool isOneExperiment() const { return m_experiments == 1 && m_told.size() == m_inputs.size(); }
  std::size_t experiments() const { return m_experiments; }
  void add(const std::vector<std::string>& words) { m_lines.push_back(shellCommandBelowHome(words, m_home)); }
  std::vector<std::string> take() { return std::move(m_lines); }

private:
  bool addExperiment(const fs::path& folder) {
    std::vector<ComparisonInput> runs;
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < m_inputs.size(); ++n)
      if (!m_told.count(n) && m_inputs[n].folder.parent_path() == folder) {
        runs.push_back(m_inputs[n]);
        places.push_back(n);
      }
    const auto found = experimentAmong(runs, everyParameter());
    if (!found)
      return false;
    for (const std::size_t n : found->runs)
      m_told.insert(places[n]);
    if (!m_commands.insert(commandOf(*found, "")).second) // the same on another machine
      return true;
    std::string output = nameOfExperiment(folder) + "_again";
    for (int n = 2; !m_names.insert(output).second; ++n)
      output = nameOfExperiment(folder) + "_again_" + std::to_string(n);
    add(commandOf(*found, output));
    ++m_experiments;
    return true;
  }

  void addRun(const ComparisonInput& input) {
    const auto spec = JobSpec::fromJson(input.spec);
    add(spec ? spec->commandLine(everyParameter()) : std::vector<std::string>{"voxlab-worker", input.kind, "--spec", input.id + "/spec.json"});
  }

  const std::vector<ComparisonInput>& m_inputs;
  fs::path m_home;
  std::vector<std::string> m_lines;
  std::set<std::size_t> m_told;
  std::set<std::string> m_names;
  std::set<std::vector<std::string>> m_commands;
  std::size_t m_experiments = 0;
};
} // namespace

std::string shellCommandBelowHome(const std::vector<std::string>& words, const fs::path& home) {
  std::string line;
  const std::string below = home.string() + "/";
  for (const std::string& word : words) {
    const auto sign = word.find('=');
    const std::size_t begin = word.starts_with(below) ? 0 : sign == std::string::npos ? word.size() : sign + 1;
    const bool isBelow = below.size() > 2 && word.compare(begin, below.size(), below) == 0;
    line += (line.empty() ? "" : " ") + (isBelow ? "\"" + inDoubleQuotes(word.substr(0, begin)) + "$HOME/" + inDoubleQuotes(word.substr(begin + below.size())) + "\"" : shellCommand({word}));
  }
  return line;
}

RunAgain runAgain(const std::vector<ComparisonInput>& inputs, const std::string& baseline, const fs::path& home) {
  Lines lines(inputs, home);
  lines.addRuns();
  RunAgain again;
  const std::size_t experiments = lines.experiments();
  if (experiments > 0)
    again.sentences.push_back((experiments == 1 ? std::string("The first command makes all runs of the experiment again, and a report of them") : "The first " + std::to_string(experiments) + " commands make all runs of the experiments again, and reports of them") +
                              ", in a new folder; given once more after a crash, it goes on.");
  if (!lines.isOneExperiment() || !baseline.empty()) {
    std::vector<std::string> compare{"voxlab-worker", "compare"};
    for (const ComparisonInput& input : inputs)
      compare.push_back(input.id);
    if (!baseline.empty())
      compare.insert(compare.end(), {"--baseline", baseline});
    compare.insert(compare.end(), {"--format", "html", "-o", "comparison.html"});
    lines.add(compare);
    again.sentences.push_back("The last one compares runs that are there, in the folder that they lie in.");
  }
  again.commands = lines.take();
  if (std::any_of(again.commands.begin(), again.commands.end(), [](const std::string& line) { return line.find("…/") != std::string::npos; }))
    again.sentences.push_back("Runs that were packed came without the folders of what they read: put them in where a path begins with \"…\".");
  return again;
}

} // namespace voxlab
