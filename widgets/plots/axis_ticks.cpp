// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/axis_ticks.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kToldByPowers = 500;   // steps: three digits tell so many apart
constexpr qsizetype kFewestTicks = 3;   // of a logarithmic axis
constexpr double kNoMoreDigits = 1e15;  // that a double has

QString superscript(int number) {
  static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString out = number < 0 ? QStringLiteral("⁻") : QString();
  for (const QChar digit : QString::number(std::abs(number)))
    out += digits[digit.digitValue()];
  return out;
}

QString powerText(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  if (std::abs(value) / std::pow(10.0, exponent) >= 9.995) // 10 once it is rounded
    ++exponent;
  const double mantissa = value / std::pow(10.0, exponent);
  const QString power = QStringLiteral("10") + superscript(exponent);
  const QString digits = QString::number(mantissa, 'g', 3);
  return digits == QLatin1String("1") ? power : digits + QStringLiteral("·") + power;
}

int decimalsOf(double step) {
  for (int decimals = 0; decimals < 9; ++decimals) {
    const double scaled = step * std::pow(10.0, decimals);
    if (scaled > 0.5 && std::abs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, scaled))
      return decimals;
  }
  return 9;
}

QString withSeparators(double value, int decimals) {
  const QString fixed = QString::number(std::abs(value), 'f', decimals);
  const auto point = fixed.indexOf(QLatin1Char('.'));
  const QString whole = point < 0 ? fixed : fixed.left(point);
  const QString grouped = QString::fromStdString(formatCount(whole.toLongLong()));
  const QString text = point < 0 ? grouped : grouped + fixed.mid(point);
  const bool negative = value < 0 && fixed.toDouble() != 0;
  return negative ? QStringLiteral("−") + text : text;
}
// Round ones, as on a linear axis: 1, 2 or 5 times a power of ten apart.
QVector<double> evenTicks(double first, double last) {
  QVector<double> ticks;
  const double wanted = (last - first) / kFewestTicks, power = std::pow(10.0, std::floor(std::log10(wanted))), mantissa = wanted / power;
  const double step = power * (mantissa < 2 ? 1 : mantissa < 5 ? 2 : 5);
  for (double n = std::ceil(first / step - 1e-9); n * step <= last * (1 + 1e-9); ++n)
    ticks.append(n * step);
  return ticks;
}
} // namespace

QString tickText(double value, double step) {
  step = std::abs(step);
  if (!std::isfinite(value) || step <= 0)
    return QString::number(value);
  if (std::abs(value) < step * 1e-6)
    value = 0;
  const bool isTold = std::abs(value) < kToldByPowers * step || std::abs(value) >= kNoMoreDigits; // by a power of ten; else neighbours would read alike
  if (isTold && (std::abs(value) >= 1e9 || (step < 1e-5 && value != 0)))
    return powerText(value);
  return withSeparators(value, decimalsOf(step));
}

QVector<double> logTicks(double first, double last, int mostDecades) {
  if (!(first > 0) || !(last > first))
    return {};
  constexpr double kRounding = 1e-9; // of powers of ten
  const int lowest = static_cast<int>(std::ceil(std::log10(first) - kRounding)), highest = static_cast<int>(std::floor(std::log10(last) + kRounding));
  const int between = highest - lowest; // decades from the first to the last power of ten
  if (std::log10(last / first) >= 3 && between >= 2) {
    const int stride = std::min((between + std::max(1, mostDecades)) / std::max(1, mostDecades), between / 2);
    QVector<double> ticks;
    for (int exponent = lowest + between % stride / 2; exponent <= highest; exponent += stride)
      ticks.append(std::pow(10.0, exponent));
    return ticks;
  }
  QVector<double> ticks;
  for (int exponent = lowest - 1; exponent <= highest; ++exponent)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double tick = factor * std::pow(10.0, exponent); tick >= first * (1 - kRounding) && tick <= last * (1 + kRounding))
        ticks.append(tick);
  return ticks.size() < kFewestTicks && std::log10(last / first) < 1 ? evenTicks(first, last) : ticks;
}

QString logTickText(double value) {
  if (value >= 1e-4 && value < 1e5)
    return withSeparators(value, decimalsOf(value));
  return powerText(value);
}

int ticksFor(int width_px) { return std::clamp(width_px / 64, 2, 8); }

} // namespace voxlab
