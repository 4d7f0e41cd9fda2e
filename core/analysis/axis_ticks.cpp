// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/axis_ticks.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace voxlab {
namespace {
constexpr double kToldByPowers = 500;   // steps: three digits tell so many apart
constexpr std::size_t kFewestTicks = 3;
constexpr double kNoMoreDigits = 1e15;  // that a double has

std::string printed(const char* format, int digits, double value) {
  char text[400]; // room for every double
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

std::string superscript(int number) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number)))
    out += kDigits[digit - '0'];
  return out;
}

std::string powerText(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  if (std::abs(value) / std::pow(10.0, exponent) >= 9.995) // 10 once it is rounded
    ++exponent;
  const std::string digits = printed("%.*g", 3, value / std::pow(10.0, exponent)), power = "10" + superscript(exponent);
  return digits == "1" ? power : digits + "·" + power;
}

int decimalsOf(double step) {
  for (int decimals = 0; decimals < 9; ++decimals) {
    const double scaled = step * std::pow(10.0, decimals);
    if (scaled > 0.5 && std::abs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, scaled))
      return decimals;
  }
  return 9;
}

std::string withSeparators(double value, int decimals) {
  const std::string fixed = printed("%.*f", decimals, std::abs(value));
  const auto point = fixed.find('.');
  const std::string text = formatCount(std::stoll(fixed.substr(0, point))) + (point == std::string::npos ? "" : fixed.substr(point));
  const bool negative = value < 0 && fixed.find_first_not_of("0.") != std::string::npos;
  return negative ? "−" + text : text;
}
} // namespace

std::vector<double> evenTicks(double first, double last) {
  std::vector<double> ticks;
  if (!(last > first) || !std::isfinite(last - first))
    return ticks;
  const double wanted = (last - first) / kFewestTicks, power = std::pow(10.0, std::floor(std::log10(wanted))), mantissa = wanted / power;
  const double step = power * (mantissa < 2 ? 1 : mantissa < 5 ? 2 : 5);
  for (double n = std::ceil(first / step - 1e-9); n * step <= last + 1e-9 * step; ++n)
    ticks.push_back(n * step);
  return ticks;
}

std::string tickText(double value, double step) {
  step = std::abs(step);
  if (!std::isfinite(value) || step <= 0)
    return printed("%.*g", 6, value);
  if (std::abs(value) < step * 1e-6)
    value = 0;
  const bool isTold = std::abs(value) < kToldByPowers * step || std::abs(value) >= kNoMoreDigits; // by a power of ten; else neighbours would read alike
  if (isTold && (std::abs(value) >= 1e9 || (step < 1e-5 && value != 0)))
    return powerText(value);
  return withSeparators(value, decimalsOf(step));
}

std::vector<double> logTicks(double first, double last, int mostDecades) {
  if (!(first > 0) || !(last > first))
    return {};
  constexpr double kRounding = 1e-9; // of powers of ten
  const int lowest = static_cast<int>(std::ceil(std::log10(first) - kRounding)), highest = static_cast<int>(std::floor(std::log10(last) + kRounding));
  const int between = highest - lowest; // decades from the first to the last power of ten
  if (std::log10(last / first) >= 3 && between >= 2) {
    const int stride = std::min((between + std::max(1, mostDecades)) / std::max(1, mostDecades), between / 2);
    std::vector<double> ticks;
    for (int exponent = lowest + between % stride / 2; exponent <= highest; exponent += stride)
      ticks.push_back(std::pow(10.0, exponent));
    return ticks;
  }
  std::vector<double> ticks;
  for (int exponent = lowest - 1; exponent <= highest; ++exponent)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double tick = factor * std::pow(10.0, exponent); tick >= first * (1 - kRounding) && tick <= last * (1 + kRounding))
        ticks.push_back(tick);
  return ticks.size() < kFewestTicks && std::log10(last / first) < 1 ? evenTicks(first, last) : ticks;
}

std::string logTickText(double value) {
  if (value >= 1e-4 && value < 1e5)
    return withSeparators(value, decimalsOf(value));
  return powerText(value);
}

int ticksFor(int width_px) { return std::clamp(width_px / 64, 2, 8); }

} // namespace voxlab
