// SPDX-License-Identifier: Apache-2.0
// Why one run is faster than another: differences by category, family and kernel, by operator, and in a sentence.
#include "core/analysis/comparison.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace voxlab {
namespace {
// Below these a difference is noise: a fiftieth of the thing itself, or a two-thousandth of the step.
constexpr double kSameOfItself = 0.02, kSameOfStep = 0.0005;
constexpr double kOtherTime = 0.05; // a profile's step that differs by more from the benchmark's is told

Change changeOf(double baseline_ms, double other_ms, double step_ms) {
  const double delta = other_ms - baseline_ms;
  if (baseline_ms == 0 && other_ms > 0)
    return Change::Appeared;
  if (other_ms == 0 && baseline_ms > 0)
    return Change::Vanished;
  if (std::abs(delta) <= std::max(kSameOfItself * std::max(baseline_ms, other_ms), kSameOfStep * step_ms))
    return Change::Same;
  return delta > 0 ? Change::Grew : Change::Shrank;
}

// Times of both runs under the same key.
struct Pair {
  double baseline_ms = 0, other_ms = 0;
  std::map<std::string, double> baselineKernels, otherKernels;
};

class Pairs {
public:
  void add(const std::string& key, const ComparedWork& work, double Pair::*time, std::map<std::string, double> Pair::*kernels) {
    Pair& pair = m_pairs[key];
    pair.*time += work.time_ms;
    (pair.*kernels)[work.kernel] += work.time_ms;
  }
  const std::map<std::string, Pair>& all() const { return m_pairs; }

private:
  std::map<std::string, Pair> m_pairs;
};

template <class KeyOf> Pairs pairUp(const ComparedRun& baseline, const ComparedRun& other, KeyOf keyOf) {
  Pairs pairs;
  for (const auto& work : baseline.work)
    if (const auto key = keyOf(work))
      pairs.add(*key, work, &Pair::baseline_ms, &Pair::baselineKernels);
  for (const auto& work : other.work)
    if (const auto key = keyOf(work))
      pairs.add(*key, work, &Pair::other_ms, &Pair::otherKernels);
  return pairs;
}

std::string longestKernels(const std::map<std::string, double>& kernels) {
  std::vector<std::pair<std::string, double>> sorted(kernels.begin(), kernels.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(sorted.size(), 3); ++i)
    names += (i ? ", " : "") + sorted[i].first;
  return names;
}

void fill(Difference& difference, const std::string& what, const Pair& pair, double step_ms) {
  difference.what = what;
  difference.baseline_ms = pair.baseline_ms;
  difference.other_ms = pair.other_ms;
  difference.change = changeOf(pair.baseline_ms, pair.other_ms, step_ms);
  difference.baselineKernels = longestKernels(pair.baselineKernels);
  difference.otherKernels = longestKernels(pair.otherKernels);
}

template <class D> void largestFirst(std::vector<D>& differences) {
  std::stable_sort(differences.begin(), differences.end(),
                   [](const D& a, const D& b) { return std::abs(a.delta_ms()) > std::abs(b.delta_ms()); });
}

std::vector<FamilyDifference> families(const ComparedRun& baseline, const ComparedRun& other, KernelCategory category,
                                       double step_ms) {
  std::vector<FamilyDifference> list;
  const auto byFamily = pairUp(
      baseline, other, [&](const ComparedWork& w) { return w.category == category ? std::optional(w.family) : std::nullopt; });
  for (const auto& [family, pair] : byFamily.all()) {
    FamilyDifference difference;
    fill(difference, family, pair, step_ms);
    const auto byKernel = pairUp(baseline, other, [&, name = family](const ComparedWork& w) {
      return w.category == category && w.family == name ? std::optional(w.kernel) : std::nullopt;
    });
    for (const auto& [kernel, times] : byKernel.all()) {
      Difference ofKernel;
      fill(ofKernel, kernel, times, step_ms);
      difference.kernels.push_back(std::move(ofKernel));
    }
    largestFirst(difference.kernels);
    list.push_back(std::move(difference));
  }
  largestFirst(list);
  return list;
}

std::vector<CategoryDifference> categories(const ComparedRun& baseline, const ComparedRun& other, double step_ms) {
  std::vector<CategoryDifference> list;
  for (std::size_t i = 0; i < static_cast<std::size_t>(KernelCategory::Count); ++i) {
    const auto category = static_cast<KernelCategory>(i);
    Pair pair;
    for (const auto& work : baseline.work)
      pair.baseline_ms += work.category == category ? work.time_ms : 0;
    for (const auto& work : other.work)
      pair.other_ms += work.category == category ? work.time_ms : 0;
    if (pair.baseline_ms == 0 && pair.other_ms == 0)
      continue;
    CategoryDifference difference;
    fill(difference, std::string(categoryTitle(category)), pair, step_ms);
    difference.category = category;
    difference.families = families(baseline, other, category, step_ms);
    list.push_back(std::move(difference));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(IdleCause::Count); ++i) {
    if (baseline.idle_ms[i] == 0 && other.idle_ms[i] == 0)
      continue;
    CategoryDifference difference;
    Pair pair;
    pair.baseline_ms = baseline.idle_ms[i];
    pair.other_ms = other.idle_ms[i];
    difference.idle = static_cast<IdleCause>(i);
    fill(difference, std::string(idleTitle(difference.idle)), pair, step_ms);
    list.push_back(std::move(difference));
  }
  largestFirst(list);
  return list;
}

bool isGroupNorm(const CategoryDifference& difference) {
  return std::any_of(difference.families.begin(), difference.families.end(),
                     [](const FamilyDifference& f) { return f.what.find("GroupNorm") != std::string::npos; });
}

// A category within a sentence.
std::string_view wordsFor(const CategoryDifference& difference) {
  const bool groupNorm = isGroupNorm(difference);
  switch (difference.category) {
  case KernelCategory::ConvolutionForward:
    return "forward convolutions";
  case KernelCategory::ConvolutionDataGradient:
    return "data gradients";
  case KernelCategory::ConvolutionWeightGradient:
    return "weight gradients";
  case KernelCategory::ConvolutionBackward:
    return "convolution gradients";
  case KernelCategory::MatrixProduct:
    return "matrix products";
  case KernelCategory::Attention:
    return "attention";
  case KernelCategory::NormalisationForward:
    return groupNorm ? "GroupNorm" : "normalisation";
  case KernelCategory::NormalisationBackward:
    return groupNorm ? "GroupNorm gradients" : "normalisation gradients";
  case KernelCategory::Elementwise:
    return "elementwise work";
  case KernelCategory::LayoutConversion:
    return "layout copies";
  case KernelCategory::Upsample:
    return "up-sampling";
  case KernelCategory::Reduction:
    return "reductions";
  case KernelCategory::Optimiser:
    return "the optimiser";
  case KernelCategory::Random:
    return "random numbers";
  case KernelCategory::Copy:
    return "copies";
  case KernelCategory::Other:
    return "other kernels";
  default:
    return "idle time";
  }
}

std::string signedMilliseconds(double ms) {
  return (ms < 0 ? "−" : "+") + formatSignificant(std::abs(ms)) + " ms";
}

// Idle time is one thing in a sentence, whatever its causes.
std::vector<CategoryDifference> forSentence(const std::vector<CategoryDifference>& categories, double step_ms) {
  std::vector<CategoryDifference> list;
  CategoryDifference idle;
  for (const auto& category : categories) {
    if (category.category != KernelCategory::Unknown) {
      list.push_back(category);
      continue;
    }
    idle.baseline_ms += category.baseline_ms;
    idle.other_ms += category.other_ms;
  }
  idle.change = changeOf(idle.baseline_ms, idle.other_ms, step_ms);
  list.push_back(idle);
  largestFirst(list);
  return list;
}

// A step's time without a profiler, which makes short steps longer.
std::optional<double> benchmarked_ms(const ComparedRun& run) {
  const ComparedMeasure* time = run.measure("duration_ms");
  return time && time->spread.count > 0 ? std::optional(time->spread.median) : std::nullopt;
}

// Where the benchmark's times were told, what the profiles say is a sentence of its own, with their times where those are others.
std::string profileWords(const RunDifference& d) {
  if (!d.benchmarked)
    return ": ";
  const auto differs = [](double profile_ms, double benchmark_ms) { return std::abs(profile_ms - benchmark_ms) > kOtherTime * benchmark_ms; };
  const bool tell = differs(d.profileBaseline_ms, d.baseline_ms) || differs(d.profileOther_ms, d.other_ms);
  return tell ? ". In their profiles, whose steps took " + formatSignificant(d.profileBaseline_ms) + " and " + formatSignificant(d.profileOther_ms) + " ms: " : ". In their profiles: ";
}

std::string sentenceOf(const RunDifference& d) {
  std::string text = speedWords(d.baseline, d.baseline_ms, d.other, d.other_ms);
  const double step_ms = std::max(d.profileBaseline_ms, d.profileOther_ms);
  const auto list = forSentence(d.categories, step_ms);
  std::string changes, same;
  int told = 0;
  for (const auto& category : list)
    if (category.change != Change::Same && told < 3 && std::abs(category.delta_ms()) >= 0.005 * step_ms) {
      changes += (told++ ? ", " : "") + signedMilliseconds(category.delta_ms()) + " " + std::string(wordsFor(category));
    }
  double largestSame = 0.02 * d.profileBaseline_ms; // only what matters is worth saying
  for (const auto& category : list)
    if (category.change == Change::Same && category.category != KernelCategory::Unknown && category.baseline_ms > largestSame) {
      largestSame = category.baseline_ms;
      same = std::string(wordsFor(category)) + " unchanged";
    }
  const std::string why = changes + (changes.empty() || same.empty() ? "" : "; ") + same;
  return text + (why.empty() ? "" : profileWords(d) + why) + ".";
}
} // namespace

std::string timesWords(double factor) {
  constexpr double kFew = 2; // two digits would make 1.12 and 1.08 one
  return formatSignificant(factor, factor < kFew ? 3 : 2) + " times";
}

std::string speedWords(const std::string& baseline, double baseline_ms, const std::string& other, double other_ms, const std::string& unit) {
  const std::string times = " (" + formatSignificant(baseline_ms) + " → " + formatSignificant(other_ms) + " " + unit + ")";
  if (baseline_ms <= 0 || other_ms <= 0)
    return other + " and " + baseline + " cannot be compared";
  const double ratio = other_ms / baseline_ms;
  if (std::abs(ratio - 1) < 0.01)
    return other + " is as fast as " + baseline + times;
  if (ratio < 1)
    return other + " is " + timesWords(1 / ratio) + " as fast as " + baseline + times;
  return other + " takes " + timesWords(ratio) + " as long as " + baseline + times;
}

RunDifference whyFaster(const ComparedRun& baseline, const ComparedRun& other) {
  RunDifference d;
  d.baseline = baseline.name;
  d.other = other.name;
  d.profileBaseline_ms = baseline.wall_ms;
  d.profileOther_ms = other.wall_ms;
  const auto baseline_ms = benchmarked_ms(baseline), other_ms = benchmarked_ms(other);
  d.benchmarked = baseline_ms && other_ms;
  d.baseline_ms = d.benchmarked ? *baseline_ms : baseline.wall_ms;
  d.other_ms = d.benchmarked ? *other_ms : other.wall_ms;
  const double step_ms = std::max(baseline.wall_ms, other.wall_ms);
  d.categories = categories(baseline, other, step_ms);
  const auto byOperator = pairUp(baseline, other, [](const ComparedWork& w) {
    std::string key = w.operatorName.empty() ? "unknown operator" : w.operatorName;
    if (!w.module.empty())
      key += " in " + w.module;
    return std::optional(key + " (" + std::string(phaseName(w.phase)) + ")");
  });
  for (const auto& [key, pair] : byOperator.all()) {
    Difference difference;
    fill(difference, key, pair, step_ms);
    d.operators.push_back(std::move(difference));
  }
  largestFirst(d.operators);
  d.sentence = sentenceOf(d);
  return d;
}

} // namespace voxlab
