// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_pairs.h"
#include "core/base/text.h"
#include "core/protocol/left_out.h"
#include <QCoreApplication>
#include <map>
#include <set>

namespace voxlab {
namespace {
using Key = std::tuple<std::int64_t, std::string, std::string, std::int64_t>; // seed, mask, file, step
enum class Steps { Equal, Newest };

QString tr(const char* text) { return QCoreApplication::translate("SamplePairs", text); }

std::string nameOf(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Key keyOf(const SampleRecord& sample, Steps steps) {
  return {sample.seed.value_or(0), nameOf(sample.mask), nameOf(sample.path), steps == Steps::Equal ? sample.step.value_or(-1) : 0};
}

// Of several with one key, the newest.
std::map<Key, const SampleRecord*> byKey(const SampledRun& run, Steps steps) {
  std::map<Key, const SampleRecord*> found;
  for (const SampleRecord& sample : run.samples)
    if (sample.seed)
      found[keyOf(sample, steps)] = &sample;
  return found;
}

QString titleOf(const SampleRecord& sample, Steps steps) {
  QStringList words;
  if (steps == Steps::Equal && sample.step)
    words << tr("Step %1").arg(QString::fromStdString(formatCount(*sample.step)));
  words << tr("seed %1").arg(*sample.seed);
  if (!sample.mask.empty())
    words << QString::fromStdString(nameOf(sample.mask));
  return words.join(QStringLiteral(" · "));
}

// The reference's samples that others have too.
QList<ViewerSample> groupsOf(const std::vector<SampledRun>& runs, std::size_t reference, Steps steps) {
  std::vector<std::map<Key, const SampleRecord*>> of;
  std::vector<std::set<std::string>> leftOut;
  for (const SampledRun& run : runs) {
    of.push_back(byKey(run, steps));
    leftOut.push_back(leftOutOf(run.folder));
  }
  QList<ViewerSample> groups;
  for (const SampleRecord& sample : runs[reference].samples) { // in the order of arrival
    const Key key = keyOf(sample, steps);
    if (!sample.seed || of[reference].at(key) != &sample)
      continue;
    ViewerSample group{QString::fromStdString((runs[reference].folder / sample.path).string()), titleOf(sample, steps), {}, {}, leftOut[reference].contains(sample.path)};
    for (std::size_t other = reference + 1; other < runs.size(); ++other)
      if (const auto found = of[other].find(key); found != of[other].end()) {
        group.others << QString::fromStdString((runs[other].folder / found->second->path).string());
        group.isLeftOut = group.isLeftOut || leftOut[other].contains(found->second->path);
      }
    if (!group.others.isEmpty())
      groups << group;
  }
  return groups;
}
} // namespace

QList<ViewerSample> alikeSamples(const std::vector<SampledRun>& runs) {
  QList<ViewerSample> best;
  for (const Steps steps : {Steps::Equal, Steps::Newest})
    for (std::size_t reference = 0; reference + 1 < runs.size(); ++reference) {
      QList<ViewerSample> largest;
      for (const ViewerSample& group : groupsOf(runs, reference, steps)) {
        if (!largest.isEmpty() && group.others.size() > largest.first().others.size())
          largest.clear();
        if (largest.isEmpty() || group.others.size() == largest.first().others.size())
          largest << group;
      }
      if (!largest.isEmpty() && (best.isEmpty() || largest.first().others.size() > best.first().others.size()))
        best = largest;
    }
  return best;
}

} // namespace voxlab
