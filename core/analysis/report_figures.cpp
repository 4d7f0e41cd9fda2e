// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/report_figures.h"
#include "core/analysis/axis_ticks.h"
#include "core/analysis/named_colours.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace voxlab {
namespace {
// Okabe & Ito's set, as the bars of report_writers.cpp; then Tol's muted ones, for more modes than those tell apart.
constexpr std::array<const char*, 12> kColours{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#332288", "#999933", "#882255", "#44aa99", "#dd8899"};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}
std::string percent(double share) {
  return number(100 * share) + "%";
}

std::string open(const std::string& title, double height) {
  return "<svg width=\"100%\" height=\"" + std::to_string(std::lround(height)) + "\" role=\"img\" aria-label=\"" + escapedForHtml(title) + "\">\n";
}

std::string line(const std::string& x1, double y1, const std::string& x2, double y2, const std::string& style) {
  return "<line x1=\"" + x1 + "\" y1=\"" + number(y1) + "\" x2=\"" + x2 + "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
}

std::string words(const std::string& x, double y, const std::string& anchor, const std::string& text) {
  return "<text x=\"" + x + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" + escapedForHtml(text) + "</text>\n";
}

// Ends of an axis with a little room, in the scale's own numbers.
struct Axis {
  double low = 0, high = 1;
  FigureScale scale = FigureScale::Linear;
  double share(double value) const { return (own(value) - low) / (high - low); }
  double own(double value) const { return scale == FigureScale::Logarithmic ? std::log10(std::max(value, 1e-300)) : value; }
  double back(double value) const { return scale == FigureScale::Logarithmic ? std::pow(10, value) : value; }
};

// A mode has one colour everywhere; other groups have one each.
std::string colourOf(const std::string& group, const std::map<std::string, std::size_t>& places) {
  const NamedColour* own = findNamedColour(group);
  return own ? htmlColour(own->light) : std::string(kColours[places.at(group) % kColours.size()]);
}

// A mode's own; else the first, to which the others are compared, is grey.
std::string colourOfBar(const std::string& name, std::size_t place) {
  const NamedColour* own = findNamedColour(name.substr(0, name.find(" · ")));
  return own ? htmlColour(own->light) : std::string(kColours[place == 0 ? 6 : 2]);
}

std::string groupLegend(const std::vector<FigurePoint>& points, const std::map<std::string, std::size_t>& colours) {
  std::string out;
  std::vector<std::string> told;
  for (const auto& point : points)
    if (std::find(told.begin(), told.end(), point.group) == told.end()) {
      told.push_back(point.group);
      out += "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\" height=\"10\" fill=\"" + colourOf(point.group, colours) + "\"/></svg> " +
             escapedForHtml(point.group) + "</li>\n";
    }
  return "<ul class=\"legend\">\n" + out + "</ul>\n";
}

// What the numbers of the drawing stand for: names would lie on each other.
std::string frontList(const std::vector<const FigurePoint*>& front) {
  std::string out;
  for (std::size_t n = 0; n < front.size(); ++n)
    out += (n == 0 ? "" : "; ") + std::to_string(n + 1) + "\u00a0" + escapedForHtml(front[n]->name);
  return out.empty() ? out : "<p class=\"front\">" + out + "</p>\n";
}

// How far below its point a number's foot line is: on the side of the front where no points are, and of neighbours at one height every other
// on the other.
template <class Up> std::vector<double> numberShifts(const std::vector<const FigurePoint*>& front, Up up) {
  constexpr double kAbove = -9, kBelow = 18, kLineHeight = 14;
  std::vector<double> shifts;
  for (std::size_t n = 0; n < front.size(); ++n) {
    const double free = front.front()->y > front.back()->y ? kBelow : kAbove;
    const bool level = n > 0 && std::abs(up(front[n]->y) - up(front[n - 1]->y)) < kLineHeight;
    shifts.push_back(level ? kAbove + kBelow - shifts.back() : free);
  }
  return shifts;
}

double spacing(const std::vector<double>& ticks) { return ticks.size() > 1 ? ticks[1] - ticks[0] : 1; }

// Where a horizontal axis has its ticks, as shares of its length, and what they say. So few that they have room on a telephone.
std::vector<std::pair<double, std::string>> ticksBelow(const Axis& axis) {
  constexpr int kMostDecades = 4;
  const bool logarithmic = axis.scale == FigureScale::Logarithmic;
  const auto values = logarithmic ? logTicks(axis.back(axis.low), axis.back(axis.high), kMostDecades) : evenTicks(axis.low, axis.high);
  const double step = spacing(values);
  std::vector<std::pair<double, std::string>> ticks;
  for (const double value : values)
    ticks.emplace_back(axis.share(value), logarithmic ? logTickText(value) : tickText(value, step));
  return ticks;
}

// `before`: room below the lowest, as a share of the points' range.
template <class Get> Axis axisOf(const std::vector<FigurePoint>& points, Get get, FigureScale scale, double before) {
  Axis axis;
  axis.scale = scale;
  axis.low = INFINITY;
  axis.high = -INFINITY;
  for (const auto& point : points) {
    axis.low = std::min(axis.low, axis.own(get(point)));
    axis.high = std::max(axis.high, axis.own(get(point)));
  }
  constexpr double kAfter = 0.12, kLeastDecades = 0.3, kLeastShare = 1e-3; // what differs by less lies side by side
  const double least = scale == FigureScale::Logarithmic ? kLeastDecades : std::max(kLeastShare * std::abs(axis.high), 1e-9), range = std::max(axis.high - axis.low, least);
  axis.low -= before * range;
  axis.high += kAfter * range;
  return axis;
}
} // namespace

ReportFigure barFigure(const std::string& caption, const std::vector<FigureBar>& bars, std::optional<double> reference) {
  constexpr double kRow = 38;
  double longest = reference.value_or(0);
  for (const auto& bar : bars)
    longest = std::max({longest, bar.value.value_or(0), bar.high.value_or(0)});
  if (!(longest > 0))
    return {};
  std::string svg = open(caption, kRow * static_cast<double>(bars.size()) + 4);
  for (std::size_t n = 0; n < bars.size(); ++n) {
    const FigureBar& bar = bars[n];
    const double top = kRow * static_cast<double>(n);
    svg += words("0", top + 13, "start", bar.name) + words("100%", top + 13, "end", bar.value ? bar.words : std::string(kUnknown));
    if (!bar.value)
      continue;
    svg += "<rect x=\"0\" y=\"" + number(top + 18) + "\" width=\"" + percent(std::max(0.0, *bar.value) / longest) + "\" height=\"12\" fill=\"" +
           colourOfBar(bar.name, n) + "\"/>\n";
    if (bar.low && bar.high)
      svg += line(percent(*bar.low / longest), top + 24, percent(*bar.high / longest), top + 24, "stroke=\"currentColor\" stroke-width=\"1.5\"");
  }
  for (std::size_t n = 0; reference && n < bars.size(); ++n) // across the bars, not through what is written between them
    svg += line(percent(*reference / longest), kRow * static_cast<double>(n) + 16, percent(*reference / longest), kRow * static_cast<double>(n) + 32, "stroke=\"currentColor\" stroke-dasharray=\"3 3\" stroke-opacity=\"0.6\"");
  return {caption, svg + "</svg>\n"};
}

ReportFigure scatterFigure(const std::string& caption, const std::string& xTitle, const std::string& yTitle, const std::vector<FigurePoint>& points, FigureScale xScale) {
  constexpr double kHeight = 300, kTop = 34, kBottom = 262, kEdge = 0.03; // a tick's text near an end grows inwards
  if (points.empty())
    return {};
  const Axis x = axisOf(points, [](const FigurePoint& p) { return p.x; }, xScale, 0.2), y = axisOf(points, [](const FigurePoint& p) { return p.y; }, FigureScale::Linear, 0.12); // levels are told at the left
  const auto up = [&](double value) { return kBottom - y.share(value) * (kBottom - kTop); };
  std::string svg = open(caption, kHeight);
  svg += words("0", 12, "start", yTitle) + words("100%", kHeight - 4, "end", xTitle);
  svg += line("0", kBottom, "100%", kBottom, "stroke=\"currentColor\"");
  const auto levels = evenTicks(y.low, y.high);
  for (const double level : levels)
    svg += line("0", up(level), "100%", up(level), "stroke=\"currentColor\" stroke-opacity=\"0.15\"") + words("0", up(level) - 3, "start", tickText(level, spacing(levels)));
  for (const auto& [place, text] : ticksBelow(x))
    svg += line(percent(place), kBottom, percent(place), kBottom + 4, "stroke=\"currentColor\"") + words(percent(place), kBottom + 16, place < kEdge ? "start" : place > 1 - kEdge ? "end" : "middle", text);
  std::vector<const FigurePoint*> front;
  for (const auto& point : points)
    if (point.onFront)
      front.push_back(&point);
  std::sort(front.begin(), front.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
  for (std::size_t n = 1; n < front.size(); ++n)
    svg += line(percent(x.share(front[n - 1]->x)), up(front[n - 1]->y), percent(x.share(front[n]->x)), up(front[n]->y), "stroke=\"#009e73\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"");
  std::map<std::string, std::size_t> colours;
  for (const auto& point : points)
    colours.emplace(point.group, colours.size());
  const std::vector<double> shifts = numberShifts(front, up);
  for (const auto& point : points) {
    const double share = x.share(point.x);
    svg += "<circle cx=\"" + percent(share) + "\" cy=\"" + number(up(point.y)) + "\" r=\"5\" fill=\"" + colourOf(point.group, colours) + "\"><title>" +
           escapedForHtml(point.name + ": " + formatSignificant(point.x) + ", " + formatSignificant(point.y)) + "</title></circle>\n";
    if (const auto number = std::find(front.begin(), front.end(), &point); number != front.end()) {
      const auto place = static_cast<std::size_t>(number - front.begin());
      svg += words(percent(share), up(point.y) + shifts[place], "middle", std::to_string(place + 1));
    }
  }
  svg += "</svg>\n";
  return {caption, svg + groupLegend(points, colours) + frontList(front)};
}

ReportFigure pictureFigure(const std::string& caption, const std::vector<FigurePicture>& pictures) {
  std::string markup = "<div class=\"pictures\">\n";
  for (const auto& picture : pictures)
    markup += "<div><img alt=\"" + escapedForHtml(picture.words) + "\" src=\"data:image/png;base64," + base64(picture.png) + "\">" + escapedForHtml(picture.words) + "</div>\n";
  return {caption, markup + "</div>\n"};
}

std::string base64(std::string_view bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t n = 0; n < bytes.size(); n += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (n + k < bytes.size() ? static_cast<unsigned char>(bytes[n + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += n + k <= bytes.size() ? kLetters[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

} // namespace voxlab
