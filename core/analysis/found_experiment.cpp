// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/found_experiment.h"
#include "core/protocol/job_parameters.h"
#include "core/protocol/parameter_value.h"
#include <algorithm>
#include <map>
#include <set>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

template <class T> void addOnce(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end())
    list.push_back(value);
}

PlannedSampling samplingOf(const JobSpec& spec) {
  const auto eta = spec.get<double>("sample.eta", kDefaultEta);
  return {spec.get<std::string>("sample.sampler"), spec.get<int>("sample.steps"), eta == kDefaultEta ? std::nullopt : std::optional(eta)};
}

bool same(const PlannedSampling& a, const PlannedSampling& b) { return a.sampler == b.sampler && a.steps == b.steps && a.eta == b.eta; }

// The plan that the runs would come from, if they come from one.
class PlanReader {
public:
  PlanReader() {
    m_plan.modes.clear();
    m_plan.samplings.clear();
    m_plan.devices.clear();
    m_plan.benchmarkSteps = m_plan.profileSteps = 0;
  }

  void add(const JobSpec& spec) {
    const std::string& kind = spec.kind();
    m_plan.seed = spec.get<std::int64_t>("seed");
    if (kind == "quality") {
      takePath(m_plan.real, spec, "quality.real");
      takePath(m_plan.training, spec, "quality.training");
      return;
    }
    addOnce(m_plan.devices, spec.get<std::string>("device"));
    if (kind == "bench")
      for (const std::string& mode : spec.get<std::vector<std::string>>("bench.modes"))
        addOnce(m_plan.modes, mode);
    else
      addOnce(m_plan.modes, spec.get<std::string>("mode"));
    if (kind == "sample") {
      takePath(m_plan.checkpoint, spec, "sample.checkpoint");
      takePath(m_plan.masks, spec, "sample.masks");
      m_plan.volumesPerMask = spec.get<std::int64_t>("sample.count", m_plan.volumesPerMask);
      if (const PlannedSampling own = samplingOf(spec); std::none_of(m_plan.samplings.begin(), m_plan.samplings.end(), [&](const auto& s) { return same(s, own); }))
        m_plan.samplings.push_back(own);
      return;
    }
    m_plan.size = spec.get<std::vector<std::int64_t>>("data.size", m_plan.size);
    (kind == "bench" ? m_plan.benchmarkSteps : m_plan.profileSteps) = spec.get<int>("bench.steps", 1);
  }
  const ExperimentPlan& plan() const { return m_plan; }

private:
  static void takePath(fs::path& path, const JobSpec& spec, const char* key) {
    if (path.empty())
      path = spec.get<std::string>(key);
  }
  ExperimentPlan m_plan;
};

// Jobs of a plan beside the runs that are theirs.
class Match {
public:
  Match(const std::vector<ComparisonInput>& inputs, const std::vector<JobSpec>& specs, const Catalog& catalog) : m_inputs(inputs), m_specs(specs), m_catalog(catalog) {}

  void add(const PlannedJob& job) {
    for (std::size_t n = 0; n < m_specs.size(); ++n)
      if (!m_taken.count(n) && isRunOf(job, n)) {
        m_taken.insert(n);
        m_runOf[job.name] = n;
        m_named &= m_inputs[n].folder.filename() == job.name;
        collectOverrides(job, m_specs[n]);
        return;
      }
    ++m_missing;
  }
  // Jobs are missing in an experiment that has not ended, and where a mode cannot run; then the runs' names have to speak for it.
  bool holds() const { return m_taken.size() > 1 && (m_missing == 0 || (m_named && m_taken.size() >= m_missing)); }
  const std::set<std::size_t>& runs() const { return m_taken; }

  // nullopt: runs that know the key differ in it.
  std::optional<std::vector<std::string>> assignments() const {
    std::vector<std::string> list;
    for (const auto& [key, value] : m_overrides) {
      const Parameter& p = *m_catalog.find(key);
      for (const std::size_t n : m_taken)
        if (knows(p, m_specs[n].kind()) && valueIn(m_specs[n], p) != value)
          return std::nullopt;
      list.push_back(key + "=" + valueToText(value));
    }
    return list;
  }

private:
  static bool knows(const Parameter& p, const std::string& kind) { return std::find(p.kinds.begin(), p.kinds.end(), kind) != p.kinds.end(); }
  static Json valueIn(const JobSpec& spec, const Parameter& p) { return spec.has(p.key) ? spec.value(p.key) : p.defaultValue; }

  bool isRunOf(const PlannedJob& job, std::size_t n) const {
    const JobSpec& spec = m_specs[n];
    const auto agree = [&](const char* key) { return spec.get<std::string>(key) == job.spec.get<std::string>(key); };
    if (spec.kind() != job.spec.kind() || !agree("device"))
      return false;
    if (spec.kind() == "bench")
      return true;
    if (spec.kind() == "quality") {
      const auto judged = m_runOf.find(job.after);
      const fs::path volumes = fs::path(spec.get<std::string>("quality.synthetic")).filename();
      return judged != m_runOf.end() && (volumes == m_inputs[judged->second].folder.filename() || volumes == m_inputs[judged->second].id);
    }
    return agree("mode") && (spec.kind() != "sample" || same(samplingOf(spec), samplingOf(job.spec)));
  }

  // What a run has otherwise than the plan and the defaults say.
  void collectOverrides(const PlannedJob& job, const JobSpec& spec) {
    for (const Parameter* p : m_catalog.forKind(spec.kind())) {
      Json planned = valueIn(job.spec, *p), own = valueIn(spec, *p);
      if (p->key == "quality.synthetic")
        continue;
      if (p->key == "quality.reference" && own != "") // of the experiment's own runs, wherever those lie
        own = planned;
      if (planned != own)
        m_overrides.emplace(p->key, own);
    }
  }

  const std::vector<ComparisonInput>& m_inputs;
  const std::vector<JobSpec>& m_specs;
  const Catalog& m_catalog;
  std::set<std::size_t> m_taken;
  std::map<std::string, std::size_t> m_runOf;
  std::map<std::string, Json> m_overrides;
  std::size_t m_missing = 0;
  bool m_named = true;
};

std::string sizeText(const std::vector<std::int64_t>& size) {
  const bool cube = std::all_of(size.begin(), size.end(), [&](std::int64_t side) { return side == size.front(); });
  return cube ? std::to_string(size.front()) : valueToText(Json(size));
}

std::string textOf(const PlannedSampling& s) { return s.sampler + ":" + std::to_string(s.steps) + (s.eta ? ":" + valueToText(Json(*s.eta)) : ""); }
} // namespace

std::optional<FoundExperiment> experimentAmong(const std::vector<ComparisonInput>& inputs, const Catalog& catalog) {
  std::vector<JobSpec> specs;
  PlanReader reader;
  for (const ComparisonInput& input : inputs) {
    const auto spec = JobSpec::fromJson(input.spec);
    specs.push_back(spec ? *spec : JobSpec());
  }
  for (const char* kind : {"bench", "sample", "quality", "profile"}) // a benchmark has the modes in the order of the plan
    for (const JobSpec& spec : specs)
      if (spec.kind() == kind)
        reader.add(spec);
  FoundExperiment found{reader.plan(), {}, {}};
  const auto jobs = plannedJobs(found.plan, "runs");
  if (!jobs)
    return std::nullopt;
  Match match(inputs, specs, catalog);
  for (const PlannedJob& job : *jobs)
    match.add(job);
  const auto assignments = match.assignments();
  if (!match.holds() || !assignments)
    return std::nullopt;
  found.assignments = *assignments;
  found.runs.assign(match.runs().begin(), match.runs().end());
  return found;
}

std::vector<std::string> commandOf(const FoundExperiment& experiment, const std::string& output) {
  const ExperimentPlan &plan = experiment.plan, usual;
  std::vector<std::string> words{"voxlab-worker", "experiment", "-o", output};
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  const auto addPath = [&](const char* option, const fs::path& path) {
    if (!path.empty())
      add(option, path.string());
  };
  add("--modes", valueToText(Json(plan.modes)));
  if (plan.devices != usual.devices)
    add("--devices", valueToText(Json(plan.devices)));
  if (plan.benchmarkSteps > 0 || plan.profileSteps > 0)
    add("--size", sizeText(plan.size));
  add("--steps", std::to_string(plan.benchmarkSteps));
  add("--profile-steps", std::to_string(plan.profileSteps));
  if (!plan.checkpoint.empty()) {
    std::string samplers;
    for (const PlannedSampling& s : plan.samplings)
      samplers += (samplers.empty() ? "" : ",") + textOf(s);
    add("--samplers", samplers);
  }
  addPath("--checkpoint", plan.checkpoint);
  addPath("--masks", plan.masks);
  addPath("--real", plan.real);
  addPath("--training", plan.training);
  if (plan.volumesPerMask != usual.volumesPerMask)
    add("--count", std::to_string(plan.volumesPerMask));
  if (plan.seed != usual.seed)
    add("--seed", std::to_string(plan.seed));
  for (const std::string& assignment : experiment.assignments)
    add("--set", assignment);
  return words;
}

} // namespace voxlab
