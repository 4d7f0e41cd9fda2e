// SPDX-License-Identifier: GPL-3.0-or-later
// axis_ticks as QCustomPlot wants them. Only for the sources of this room.
#pragma once
#include "core/analysis/axis_ticks.h"
#include <qcustomplot.h>

namespace voxlab {

class LinearTicker : public QCPAxisTicker {
public:
  LinearTicker() { setTickCount(5); }

protected:
  double getTickStep(const QCPRange& range) override { return m_step = QCPAxisTicker::getTickStep(range); }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return QString::fromStdString(tickText(tick, m_step)); }

private:
  double m_step = 1;
};

// Steps, passes, repetitions: never a tick between two whole numbers.
class WholeNumberTicker : public LinearTicker {
protected:
  double getTickStep(const QCPRange& range) override { return std::max(1.0, LinearTicker::getTickStep(range)); }
};

// Seconds as h:mm:ss, or m:ss below an hour.
class DurationTicker : public QCPAxisTickerTime {
public:
  DurationTicker() { setTickCount(4); }

protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
    setTimeFormat(std::abs(tick) < 3600 ? QStringLiteral("%m:%s") : QStringLiteral("%h:%m:%s"));
    return QCPAxisTickerTime::getTickLabel(tick, locale, format, precision);
  }
};

class LogTicker : public QCPAxisTicker {
public:
  LogTicker() { setTickCount(8); }

protected:
  QVector<double> createTickVector(double, const QCPRange& range) override {
    const auto ticks = logTicks(range.lower, range.upper, tickCount());
    return {ticks.begin(), ticks.end()};
  }
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return QString::fromStdString(logTickText(tick)); }
};

} // namespace voxlab
