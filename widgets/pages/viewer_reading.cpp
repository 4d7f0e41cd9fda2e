// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_reading.h"
#include "core/imaging/geometry.h"
#include "widgets/pages/viewer_document.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace voxlab {
namespace {

constexpr qsizetype kNameCharacters = 22;
const QString kBetweenValues = QStringLiteral(" · "), kBetweenParts = QStringLiteral("   ·   ");
constexpr QChar kMinus(0x2212), kEllipsis(0x2026);

QString tr(const char* text) { return QCoreApplication::translate("ViewerDocument", text); }

QString millimetres(double value) {
  QString text = QString::number(std::abs(value) < 0.05 ? 0.0 : value, 'f', 1);
  return text.replace(QLatin1Char('-'), kMinus);
}

QString valueText(double value) {
  if (std::isnan(value))
    return QStringLiteral("NaN");
  QString text = value == std::floor(value) && std::abs(value) < 1e7 ? QString::number(static_cast<qint64>(value)) : QString::number(value, 'g', 4);
  return text.replace(QLatin1Char('-'), kMinus);
}

QString voxelText(const std::array<std::int64_t, 3>& index) { return tr("voxel %1, %2, %3").arg(index[0]).arg(index[1]).arg(index[2]); }

bool isCompared(const ViewerDocument& document) {
  const Comparison& pair = document.comparison();
  return pair.mode != CompareMode::None && std::max(pair.first, pair.second) < static_cast<std::size_t>(document.layerCount());
}

std::vector<int> volumesToRead(const ViewerDocument& document, std::optional<int> pointed) {
  const Comparison& pair = document.comparison();
  const int one = static_cast<int>(pair.first), other = static_cast<int>(pair.second);
  const bool isOneOfSeveral = pair.members.size() > 2 && pointed && *pointed >= 0 && *pointed < document.layerCount() && *pointed != one;
  if (isCompared(document) && pair.mode == CompareMode::Difference && isOneOfSeveral)
    return {*pointed, one};
  if (isCompared(document) && pair.mode == CompareMode::Flicker && pair.members.size() > 2)
    return comparedLayers(document);
  if (isCompared(document))
    return pair.mode == CompareMode::Difference ? std::vector<int>{other, one} : std::vector<int>{one, other};
  const auto isImage = [&](int layer) { return document.layer(layer).kind == LayerKind::Image; };
  const bool isPointed = pointed && *pointed >= 0 && *pointed < document.layerCount() && isImage(*pointed);
  std::vector<int> layers;
  if (const int named = isPointed ? *pointed : document.imageLayer(); named >= 0)
    layers.push_back(named);
  for (int i = 0; i < document.layerCount(); ++i)
    if (isImage(i) && document.layer(i).visibility == Visibility::Shown && (layers.empty() || layers.front() != i))
      layers.push_back(i);
  return layers;
}

QString shortenedTo(const QString& name, qsizetype characters) {
  return name.size() <= characters ? name : name.left(characters / 2) + kEllipsis + name.right(characters - characters / 2 - 1);
}
QString shortened(const QString& name) { return shortenedTo(name, kNameCharacters); }

bool areDistinct(const QStringList& names) { return QSet<QString>(names.begin(), names.end()).size() == names.size() && !names.contains(QString()); }

// Where the ends of long names are alike: what follows the beginning that they share.
QStringList withoutSharedBeginning(const QStringList& names) {
  qsizetype shared = 0;
  const auto isShared = [&](const QString& name) { return shared + 1 < name.size() && name[shared] == names.first()[shared]; };
  while (std::all_of(names.begin(), names.end(), isShared))
    ++shared;
  QStringList rest;
  for (const QString& name : names)
    rest << (shared > 0 ? kEllipsis + name.mid(shared) : name);
  return rest;
}

struct Word {
  QString text;
  qsizetype begin = 0, end = 0;
};

std::vector<Word> wordsOf(const QString& name, const QRegularExpression& word) {
  std::vector<Word> words;
  for (auto each = word.globalMatch(name); each.hasNext();) {
    const QRegularExpressionMatch match = each.next();
    words.push_back({match.captured(), match.capturedStart(), match.capturedEnd()});
  }
  return words;
}

// Each name without the words that all begin or end with; at least one is left.
QStringList differingParts(const QStringList& names, const QRegularExpression& word) {
  std::vector<std::vector<Word>> all;
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  for (const QString& name : names) {
    all.push_back(wordsOf(name, word));
    shortest = std::min(shortest, all.back().size());
  }
  if (shortest == 0)
    return names;
  const std::vector<Word>& one = all.front();
  std::size_t first = 0, last = 0; // how many are shared
  const auto areAlike = [&](const auto& wordOf) { return std::all_of(all.begin(), all.end(), [&](const std::vector<Word>& words) { return wordOf(words).text == wordOf(one).text; }); };
  while (first + 1 < shortest && areAlike([&](const std::vector<Word>& words) -> const Word& { return words[first]; }))
    ++first;
  while (first + last + 1 < shortest && areAlike([&](const std::vector<Word>& words) -> const Word& { return words[words.size() - 1 - last]; }))
    ++last;
  QStringList parts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const qsizetype begin = all[i][first].begin, end = all[i][all[i].size() - 1 - last].end;
    const QString part = names[static_cast<qsizetype>(i)].mid(begin, end - begin);
    parts << (part.endsWith(QLatin1Char(',')) ? part.chopped(1) : part);
  }
  return parts;
}

QString differenceOf(double from, double subtracted) {
  const double difference = from - subtracted;
  return (difference > 0 ? QStringLiteral("+") : QString()) + valueText(difference);
}

// As the picture of a difference takes it: on the common scale, if there is one.
double comparedValue(const Comparison& comparison, int layer, double value) {
  const auto scale = comparison.scaleOf(static_cast<std::size_t>(layer));
  return scale ? scale->shareOf(value) : value;
}

QString inWords(const ViewerReading::Value& each) {
  const QString named = each.name.isEmpty() ? each.value : each.name + QLatin1Char(' ') + each.value;
  return each.voxel.isEmpty() ? named : named + QStringLiteral(" (%1)").arg(each.voxel);
}

QString inWords(const std::vector<ViewerReading::Value>& values, const QString& difference) {
  QStringList parts;
  for (const ViewerReading::Value& each : values)
    parts << inWords(each);
  if (!difference.isEmpty())
    parts << difference;
  return parts.join(kBetweenValues);
}

void readVolumes(const ViewerDocument& document, Vec3d world, const std::vector<int>& layers, ViewerReading& reading) {
  const auto source = [&](int layer) -> const SampledVolume& { return document.layer(layer).source; };
  const bool onOneGrid = std::all_of(layers.begin(), layers.end(), [&](int layer) { return sameGrid(source(layer).grid(), source(layers.front()).grid()); });
  const auto first = source(layers.front()).voxelAt(world);
  if (onOneGrid && first)
    reading.voxel = voxelText(*first) + (document.source(layers.front()).fileGrid ? tr(" of the smaller form") : QString());
  if (layers.size() == 1) {
    if (first)
      reading.values.push_back({{}, valueText(*source(layers.front()).valueAt(world)), {}});
    reading.value = inWords(reading.values, {});
    return;
  }
  const QStringList names = shortNames(document, layers);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto index = source(layers[i]).voxelAt(world);
    reading.values.push_back({names[static_cast<qsizetype>(i)], index ? valueText(*source(layers[i]).valueAt(world)) : tr("outside"),
                              index && !onOneGrid ? voxelText(*index) : QString()});
  }
  if (document.showsDifference()) {
    const auto from = source(layers[0]).valueAt(world), subtracted = source(layers[1]).valueAt(world);
    const Comparison& comparison = document.comparison();
    const QString words = comparison.scales.empty() ? tr("difference %1") : tr("difference %1 on one scale");
    reading.difference = from && subtracted ? words.arg(differenceOf(comparedValue(comparison, layers[0], *from), comparedValue(comparison, layers[1], *subtracted))) : tr("no difference there");
  }
  reading.value = inWords(reading.values, reading.difference);
}

QString labelWords(const SliceLayer& layer, double value) {
  const Label* label = layer.labels.find(static_cast<std::int64_t>(value));
  return (label ? QString::fromStdString(label->name) : tr("label")) + QStringLiteral(" (%1)").arg(valueText(value));
}

QString labelsAt(const ViewerDocument& document, Vec3d world) {
  std::vector<int> layers;
  for (int i = 0; i < document.layerCount(); ++i)
    if (document.layer(i).kind == LayerKind::Labels && (document.layer(i).visibility == Visibility::Shown || i == document.labelLayer()))
      layers.push_back(i);
  const QStringList names = shortNames(document, layers);
  QStringList parts;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto value = document.layer(layers[i]).source.valueAt(world);
    if (!value || *value == 0 || std::isnan(*value))
      continue;
    const QString words = labelWords(document.layer(layers[i]), *value);
    parts << (layers.size() > 1 ? names[static_cast<qsizetype>(i)] + QStringLiteral(": ") + words : words);
  }
  return parts.join(QStringLiteral(" · "));
}

} // namespace

QStringList shortNames(const ViewerDocument& document, const std::vector<int>& layers) {
  using Name = std::function<QString(int)>;
  const Name choices[]{[&](int layer) { return QString::fromStdString(document.source(layer).title); },
                       [&](int layer) { return QString::fromStdString(document.source(layer).origin); },
                       [&](int layer) { return QString::fromStdString(document.layer(layer).title); },
                       [&](int layer) { return QString::fromStdString(document.source(layer).path.string()); }};
  for (const Name& choice : choices) {
    QStringList names, brief, ends;
    for (const int layer : layers)
      names << choice(layer);
    if (!areDistinct(names))
      continue;
    std::transform(names.begin(), names.end(), std::back_inserter(brief), shortened);
    if (areDistinct(brief))
      return brief;
    const QStringList rest = withoutSharedBeginning(names);
    std::transform(rest.begin(), rest.end(), std::back_inserter(ends), shortened);
    return areDistinct(ends) ? ends : names;
  }
  QStringList numbered;
  for (const int layer : layers)
    numbered << tr("%1 (layer %2)").arg(shortened(choices[0](layer))).arg(layer + 1);
  return numbered;
}

std::vector<int> comparedLayers(const ViewerDocument& document) {
  const Comparison& comparison = document.comparison();
  std::vector<int> layers(comparison.members.begin(), comparison.members.end());
  if (layers.empty() && comparison.first != comparison.second)
    layers = {static_cast<int>(comparison.first), static_cast<int>(comparison.second)};
  const bool areThere = std::all_of(layers.begin(), layers.end(), [&](int layer) { return layer < document.layerCount(); });
  return areThere ? layers : std::vector<int>{};
}

LayerName layerName(const ViewerDocument& document, int layer) {
  static const QRegularExpression words(QStringLiteral("\\S+")), pieces(QStringLiteral("[^\\s_.-]+"));
  const std::vector<int> layers = comparedLayers(document);
  const auto which = std::find(layers.begin(), layers.end(), layer);
  QStringList names;
  for (const int each : layers)
    names << QString::fromStdString(document.layer(each).title);
  if (which == layers.end() || layers.size() < 2)
    return {{QString::fromStdString(document.layer(layer).title)}};
  const qsizetype own = which - layers.begin();
  if (names.count(names[own]) > 1) // none tells them apart but their number
    return {{shortNames(document, layers)[own]}};
  const QStringList briefer = differingParts(names, words);
  LayerName name{{names[own], briefer[own], differingParts(briefer, pieces)[own]}};
  name.forms.removeDuplicates();
  return name;
}

QString ViewerReading::text() const {
  QStringList parts{position, voxel, value, label};
  parts.removeAll(QString());
  return parts.join(kBetweenParts);
}

QString ViewerReading::fitted(const std::function<int(const QString&)>& width, int room) const {
  QString line = text();
  if (width(line) <= room || values.size() < 2)
    return line;
  ViewerReading briefer = *this;
  for (const qsizetype characters : {kNameCharacters, qsizetype{14}, qsizetype{9}, qsizetype{6}}) {
    QStringList names;
    for (const Value& each : values)
      names << shortenedTo(each.name, characters);
    if (!areDistinct(names))
      break;
    for (std::size_t i = 0; i < values.size(); ++i)
      briefer.values[i] = {names[static_cast<qsizetype>(i)], values[i].value, {}};
    briefer.value = inWords(briefer.values, difference);
    if (width(briefer.text()) <= room)
      return briefer.text();
  }
  for (std::size_t left = values.size() - 1; left > 0; --left) {
    briefer.values.pop_back();
    const QString more = tr("+%1 more").arg(values.size() - left);
    briefer.value = inWords(briefer.values, difference.isEmpty() ? more : more + kBetweenValues + difference);
    line = briefer.text();
    if (width(line) <= room)
      break;
  }
  return line;
}

QString ViewerReading::table() const {
  QStringList rows{QStringList({position, voxel}).join(QLatin1Char('\t')).trimmed()};
  for (const Value& each : values)
    rows << QStringList({each.name, each.value, each.voxel}).join(QLatin1Char('\t')).trimmed();
  rows << difference << label;
  rows.removeAll(QString());
  return rows.join(QLatin1Char('\n'));
}

QStringList valuesOfLayers(const ViewerDocument& document, Vec3d world) {
  QStringList texts;
  for (int i = 0; i < document.layerCount(); ++i) {
    const auto value = document.layer(i).source.valueAt(world);
    const bool isLabel = value && document.layer(i).kind == LayerKind::Labels && !std::isnan(*value);
    texts << (!value ? tr("outside") : !isLabel ? valueText(*value) : *value == 0 ? QStringLiteral("–") : labelWords(document.layer(i), *value));
  }
  return texts;
}

ViewerReading readingAt(const ViewerDocument& document, Vec3d world, std::optional<int> pointed) {
  ViewerReading reading;
  if (document.isEmpty())
    return reading;
  reading.position = tr("x %1  y %2  z %3 mm").arg(millimetres(world.x), millimetres(world.y), millimetres(world.z));
  if (const std::vector<int> volumes = volumesToRead(document, pointed); !volumes.empty())
    readVolumes(document, world, volumes, reading);
  else if (const auto index = document.layer(0).source.voxelAt(world))
    reading.voxel = voxelText(*index);
  reading.label = labelsAt(document, world);
  return reading;
}

} // namespace voxlab
