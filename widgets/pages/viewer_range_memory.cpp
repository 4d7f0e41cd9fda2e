// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_range_memory.h"
#include "widgets/pages/settings_writer.h"
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

QString keyOf(const QString& modality) { return QStringLiteral("viewer/ranges/") + modality; }

bool isGenerated(const ViewerVolume& volume) {
  return std::any_of(volume.path.begin(), volume.path.end(), [](const auto& part) { return part == "samples"; });
}

} // namespace

QString modalityOf(const ViewerVolume& volume) {
  if (volume.kind != LayerKind::Image)
    return {};
  if (isGenerated(volume))
    return QStringLiteral("generated");
  static const QRegularExpression word(QStringLiteral("(?:^|[^a-z0-9])(t1ce|t1c|t1gd|t1w|t1|t2w|t2|flair|pd|dwi|adc|swi|ct|pet)(?:[^a-z0-9]|$)"),
                                       QRegularExpression::CaseInsensitiveOption);
  QString found = word.match(QString::fromStdString(volume.title)).captured(1).toUpper();
  if (found == QLatin1String("T1C") || found == QLatin1String("T1GD"))
    return QStringLiteral("T1CE");
  return found == QLatin1String("T1W") ? QStringLiteral("T1") : found == QLatin1String("T2W") ? QStringLiteral("T2") : found;
}

void rememberRange(const ViewerVolume& volume, DisplayRange range, ColourMap colours) {
  const QString modality = modalityOf(volume);
  const DisplayRange automatic = robustRange(volume.summary);
  const double width = automatic.high - automatic.low;
  if (modality.isEmpty() || !(width > 0))
    return;
  const double low = (range.low - automatic.low) / width, high = (range.high - automatic.low) / width;
  const bool isAutomatic = std::abs(low) < 1e-6 && std::abs(high - 1) < 1e-6 && colours == ColourMap::Grey;
  const QVariant kept = QSettings().value(keyOf(modality));
  const QVariantList now{low, high, QString::fromLatin1(colourMapKey(colours).data())};
  if (isAutomatic ? !kept.isValid() : kept.toList() == now)
    return; // nothing new
  changeSettings([&](QSettings& settings) { isAutomatic ? settings.remove(keyOf(modality)) : settings.setValue(keyOf(modality), now); });
}

bool recallRange(const ViewerVolume& volume, SliceLayer& layer) {
  const QString modality = modalityOf(volume);
  const QVariantList kept = modality.isEmpty() ? QVariantList() : QSettings().value(keyOf(modality)).toList();
  if (kept.size() != 3)
    return false;
  const DisplayRange automatic = robustRange(volume.summary);
  const double width = automatic.high - automatic.low, low = kept[0].toDouble(), high = kept[1].toDouble();
  const auto map = colourMapFromKey(kept[2].toString().toStdString());
  if (!(high > low) || !map)
    return false; // somebody edited the file
  layer.range = {automatic.low + low * width, automatic.low + high * width};
  layer.colourMap = *map;
  return true;
}

} // namespace voxlab
