// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sample_pairs.h"
#include "core/base/text.h"
#include <QCoreApplication>
#include <map>

namespace voxlab {
namespace {
using Key = std::tuple<std::int64_t, std::string, std::string, std::int64_t>; // seed, mask, file, step
enum class Steps { Equal, Newest };

QString tr(const char* text) { return QCoreApplication::translate("SamplePairs", text); }

std::string nameOf(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// Of several with one key, the newest.
std::map<Key, const SampleRecord*> byKey(const SampledRun& run, Steps steps) {
  std::map<Key, const SampleRecord*> found;
  for (const SampleRecord& sample : run.samples)
    if (sample.seed)
      found[{*sample.seed, nameOf(sample.mask), nameOf(sample.path), steps == Steps::Equal ? sample.step.value_or(-1) : 0}] = &sample;
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

QList<ViewerSample> pairsBy(const SampledRun& first, const SampledRun& second, Steps steps) {
  QList<ViewerSample> pairs;
  const auto others = byKey(second, steps);
  const auto ones = byKey(first, steps);
  for (const SampleRecord& sample : first.samples) { // in the order of arrival
    if (!sample.seed)
      continue;
    const Key key{*sample.seed, nameOf(sample.mask), nameOf(sample.path), steps == Steps::Equal ? sample.step.value_or(-1) : 0};
    const auto other = others.find(key);
    if (other == others.end() || ones.at(key) != &sample)
      continue;
    pairs << ViewerSample{QString::fromStdString((first.folder / sample.path).string()), titleOf(sample, steps), {},
                          QString::fromStdString((second.folder / other->second->path).string())};
  }
  return pairs;
}
} // namespace

QList<ViewerSample> samplePairs(const SampledRun& first, const SampledRun& second) {
  const QList<ViewerSample> equal = pairsBy(first, second, Steps::Equal);
  return equal.isEmpty() ? pairsBy(first, second, Steps::Newest) : equal;
}

} // namespace voxlab
