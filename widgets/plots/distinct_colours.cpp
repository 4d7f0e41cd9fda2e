// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/distinct_colours.h"
#include "widgets/plots/theme_colours.h"
#include <QSet>

namespace voxlab {
namespace {
// Names of modes and stalls between them have all colours of the theme; those that differ most come first.
const QStringList& spares() {
  static const QStringList names{QStringLiteral("opt1"),         QStringLiteral("opt2"),       QStringLiteral("fused_bf16"), QStringLiteral("opt12"),      QStringLiteral("bf16"),           QStringLiteral("fused_bf16_graph"),
                                 QStringLiteral("tf32_graph"),   QStringLiteral("baseline"),   QStringLiteral("fp16"),       QStringLiteral("fused_tf32"), QStringLiteral("dispatch_stall"), QStringLiteral("bf16_channels_last"),
                                 QStringLiteral("fused_fp16_graph"), QStringLiteral("bf16_stored"), QStringLiteral("fused_fp16"), QStringLiteral("bf16_graph"), QStringLiteral("fp16_channels_last"), QStringLiteral("no_instruction")};
  return names;
}
} // namespace

QStringList distinctColours(const QStringList& names) {
  QStringList colours(names.size());
  QSet<QRgb> taken;
  const auto take = [&](qsizetype place, const QString& name) {
    const QRgb colour = namedColour(name, ThemeKind::Light).rgb();
    if (taken.contains(colour))
      return false;
    taken.insert(colour);
    colours[place] = name;
    return true;
  };
  for (qsizetype i = 0; i < names.size(); ++i) // modes before names that have a colour by chance
    if (spares().contains(names[i]))
      take(i, names[i]);
  for (qsizetype i = 0; i < names.size(); ++i) {
    if (!colours[i].isEmpty() || take(i, names[i]))
      continue;
    for (qsizetype spare = 0; spare < spares().size() && colours[i].isEmpty(); ++spare)
      take(i, spares()[spare]);
    if (colours[i].isEmpty())
      colours[i] = names[i];
  }
  return colours;
}

} // namespace voxlab
