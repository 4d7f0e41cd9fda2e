// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/series.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace voxlab {
namespace {
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

bool known(double y) {
  return !std::isnan(y);
}
} // namespace

bool Series::append(double x, std::optional<double> y) {
  if (!std::isfinite(x) || (!m_x.empty() && x < m_x.back()))
    return false;
  const double value = y && std::isfinite(*y) ? *y : kGap;
  if (!m_x.empty() && x == m_x.back()) {
    m_y.back() = value;
    return true;
  }
  m_x.push_back(x);
  m_y.push_back(value);
  return true;
}

void Series::dropAfter(double x) {
  const auto keep = static_cast<std::size_t>(std::upper_bound(m_x.begin(), m_x.end(), x) - m_x.begin());
  m_x.resize(keep);
  m_y.resize(keep);
}

std::optional<double> Series::last() const {
  const auto it = std::find_if(m_y.rbegin(), m_y.rend(), known);
  return it == m_y.rend() ? std::nullopt : std::optional(*it);
}

std::optional<double> Series::largest() const {
  std::optional<double> largest;
  for (const double y : m_y)
    if (std::isfinite(y) && (!largest || y > *largest))
      largest = y;
  return largest;
}

std::optional<double> Series::median(std::size_t newest) const {
  std::vector<double> values;
  for (std::size_t i = m_y.size() - std::min(newest, m_y.size()); i < m_y.size(); ++i)
    if (known(m_y[i]))
      values.push_back(m_y[i]);
  if (values.empty())
    return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Series Series::between(double first, double last) const {
  auto begin = std::lower_bound(m_x.begin(), m_x.end(), first) - m_x.begin();
  auto end = std::upper_bound(m_x.begin(), m_x.end(), last) - m_x.begin();
  begin = std::max<std::ptrdiff_t>(begin - 1, 0);
  end = std::min<std::ptrdiff_t>(end + 1, static_cast<std::ptrdiff_t>(m_x.size()));
  Series part;
  if (begin < end) {
    part.m_x.assign(m_x.begin() + begin, m_x.begin() + end);
    part.m_y.assign(m_y.begin() + begin, m_y.begin() + end);
  }
  return part;
}

Series Series::thinned(std::size_t maximumPoints) const {
  maximumPoints = std::max<std::size_t>(maximumPoints, 4);
  if (size() <= maximumPoints)
    return *this;
  const bool gaps = std::any_of(m_y.begin(), m_y.end(), [](double y) { return !known(y); });
  const std::size_t slices = maximumPoints / (gaps ? 4 : 2); // a slice may give a gap, two extremes and another gap
  const double width = (m_x.back() - m_x.front()) / static_cast<double>(slices);
  Series thin;
  const auto keep = [&](std::size_t i) {
    thin.m_x.push_back(m_x[i]);
    thin.m_y.push_back(m_y[i]);
  };
  std::size_t begin = 0;
  for (std::size_t slice = 0; slice < slices && begin < size(); ++slice) {
    std::size_t end = size();
    if (slice + 1 < slices) {
      const double edge = m_x.front() + width * static_cast<double>(slice + 1);
      end = static_cast<std::size_t>(std::lower_bound(m_x.begin() + static_cast<std::ptrdiff_t>(begin), m_x.end(), edge) -
                                     m_x.begin());
    }
    if (begin == end)
      continue;
    std::optional<std::size_t> low, high;
    for (std::size_t i = begin; i < end; ++i) {
      if (!known(m_y[i]))
        continue;
      if (!low || m_y[i] < m_y[*low])
        low = i;
      if (!high || m_y[i] >= m_y[*high])
        high = i;
    }
    if (!low) {
      keep(begin);
    } else {
      if (!known(m_y[begin]))
        keep(begin);
      keep(std::min(*low, *high));
      if (*low != *high)
        keep(std::max(*low, *high));
      if (!known(m_y[end - 1]))
        keep(end - 1);
    }
    begin = end;
  }
  return thin;
}

Series Series::smoothed(double weight) const {
  weight = std::clamp(weight, 0.0, 0.9999999);
  Series smooth;
  smooth.m_x = m_x;
  smooth.m_y.reserve(size());
  double average = 0, remaining = 1; // remaining = weightⁿ
  for (const double y : m_y) {
    if (known(y)) {
      average = weight * average + (1 - weight) * y;
      remaining *= weight;
    }
    smooth.m_y.push_back(known(y) ? average / (1 - remaining) : kGap);
  }
  return smooth;
}

} // namespace voxlab
