// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/style.h"
#include "widgets/pages/icons.h"
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFont>
#include <QHash>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>
#include <QTemporaryDir>

namespace voxlab {
namespace {
QHash<QString, QColor> colourNames(const ThemeColours& c) {
  return {{"window", c.window},   {"surface", c.surface},         {"raised", c.raised},       {"border", c.border},
          {"strongBorder", c.strongBorder}, {"text", c.text},     {"muted", c.muted},         {"disabled", c.disabled},
          {"accent", c.accent},   {"accentHover", c.accentHover}, {"onAccent", c.onAccent},   {"accentSoft", c.accentSoft},
          {"danger", c.danger},   {"dangerSoft", c.dangerSoft},   {"warning", c.warning},     {"warningSoft", c.warningSoft}};
}

// A style sheet takes pictures only from files.
QString writeIcon(const QString& name, const QColor& colour, const QString& folder) {
  const QString path = QDir(folder).filePath(QStringLiteral("%1-%2.svg").arg(name, colour.name().mid(1)));
  QFile file(path);
  if (!file.exists() && file.open(QIODevice::WriteOnly))
    file.write(tintedSvg(name, colour));
  return path;
}

QString iconFolder() {
  static const QTemporaryDir folder;
  return folder.path();
}
} // namespace

QString styleSheetOf(const ThemeColours& colours, const QString& folder) {
  QFile file(QStringLiteral(":/style.qss"));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  const QString source = QString::fromUtf8(file.readAll());
  const auto names = colourNames(colours);
  static const QRegularExpression mark(QStringLiteral("@(icon:([a-z-]+):)?([A-Za-z]+)@"));
  QString out;
  qsizetype from = 0;
  for (auto found = mark.globalMatch(source); found.hasNext();) {
    const auto match = found.next();
    const QColor colour = names.value(match.captured(3));
    out += QStringView(source).mid(from, match.capturedStart() - from);
    out += match.captured(2).isEmpty() ? colour.name() : writeIcon(match.captured(2), colour, folder);
    from = match.capturedEnd();
  }
  out += QStringView(source).mid(from);
  return out;
}

void applyFont() {
  constexpr double kLeastPoints = 10;
  QFont font = QApplication::font();
  if (font.pointSizeF() > 0 && font.pointSizeF() < kLeastPoints)
    font.setPointSizeF(kLeastPoints);
  QApplication::setFont(font);
}

void applyTheme(QApplication& application, ThemeKind theme) {
  const ThemeColours& colours = themeColours(theme);
  if (application.style()->name() != QLatin1String("fusion") || application.styleSheet().isEmpty())
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setPalette(paletteOf(colours));
  application.setStyleSheet(styleSheetOf(colours, iconFolder()));
}

} // namespace voxlab
