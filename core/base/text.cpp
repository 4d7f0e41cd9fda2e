// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include <cmath>
#include <cstdio>

namespace voxlab {
namespace {
constexpr const char* kThinSpace = "\u202f";

std::string groupThousands(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0)
      out += kThinSpace;
    out += digits[i];
  }
  return out;
}

std::string fixed(double value, int decimals) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}
} // namespace

std::string formatCount(std::int64_t value) {
  const std::string digits = std::to_string(value);
  return value < 0 ? "-" + groupThousands(digits.substr(1)) : groupThousands(digits);
}

std::string formatSignificant(double value, int digits) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "∞" : "-∞";
  if (value == 0)
    return "0";
  const double magnitude = std::floor(std::log10(std::abs(value)));
  if (magnitude < -4 || magnitude > 14) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    return buffer;
  }
  const double scale = std::pow(10.0, magnitude - digits + 1);
  const double rounded = std::round(value / scale) * scale;
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(rounded))));
  if (decimals > 0)
    return fixed(rounded, decimals);
  return formatCount(static_cast<std::int64_t>(std::llround(rounded)));
}

std::string formatQuantity(double value, std::string_view unit) {
  static constexpr const char* kPrefixes[] = {"n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
  int index = 3;
  while (std::abs(value) >= 999.5 && index < 9) {
    value /= 1000;
    ++index;
  }
  while (value != 0 && std::abs(value) < 0.9995 && index > 0) {
    value *= 1000;
    --index;
  }
  return formatSignificant(value) + " " + kPrefixes[index] + std::string(unit);
}

std::string formatBytes(double bytes) {
  return std::abs(bytes) < 1 ? "0 B" : formatQuantity(bytes, "B");
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds))
    return std::string(kUnknown);
  if (std::abs(seconds) < 1)
    return formatSignificant(seconds * 1000) + " ms";
  if (std::abs(seconds) < 59.95)
    return formatSignificant(seconds) + " s";
  const auto total = static_cast<std::int64_t>(std::llround(seconds));
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%lld:%02lld:%02lld", static_cast<long long>(total / 3600),
                static_cast<long long>(total / 60 % 60), static_cast<long long>(total % 60));
  return buffer;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

} // namespace voxlab
