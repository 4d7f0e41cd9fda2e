// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tool_tips.h"
#include <QHelpEvent>
#include <QTextDocument>
#include <QToolTip>
#include <QWidget>
#include <utility>

namespace voxlab {
namespace {
constexpr int kLine = 56; // characters
}

ToolTips::ToolTips(QObject* application) : QObject(application) { application->installEventFilter(this); }

QString ToolTips::wrapped(const QString& tip) {
  QStringList lines;
  for (const QString& whole : tip.split(QLatin1Char('\n'))) {
    QString line;
    for (const QString& word : whole.split(QLatin1Char(' '))) {
      if (!line.isEmpty() && line.size() + 1 + word.size() > kLine)
        lines << std::exchange(line, QString());
      line += line.isEmpty() ? word : QLatin1Char(' ') + word;
    }
    lines << line;
  }
  return lines.join(QLatin1Char('\n'));
}

bool ToolTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || !watched->isWidgetType())
    return false;
  auto* widget = static_cast<QWidget*>(watched);
  const QString tip = widget->toolTip(), lines = wrapped(tip);
  if (tip == lines || Qt::mightBeRichText(tip))
    return false;
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines, widget, {}, widget->toolTipDuration());
  return true;
}

} // namespace voxlab
