// SPDX-License-Identifier: Apache-2.0
// Drawings of reports: SVG without scripts or outside files, whose lengths are shares of the page's width while letters keep their
// size, so that they can be read on a telephone and on paper.
#pragma once
#include "core/analysis/report_document.h"
#include "core/analysis/statistics.h"

namespace voxlab {

struct FigureBar {
  std::string name;
  std::optional<double> value; // unknown: no bar
  std::optional<double> low, high; // whisker
  std::string words;           // written at the right: "0.32 × (384 ms)"
};
// Lying bars, first on top; `reference` is a line across all of them: 1 for normalised measures.
ReportFigure barFigure(const std::string& caption, const std::vector<FigureBar>& bars, std::optional<double> reference = {});

struct FigurePoint {
  std::string name;
  double x = 0, y = 0;
  std::string group; // one colour each
  bool onFront = false;
};
enum class FigureScale { Linear, Logarithmic };
// Points with the line of those that no other beats, which are numbered and listed below.
ReportFigure scatterFigure(const std::string& caption, const std::string& xTitle, const std::string& yTitle, const std::vector<FigurePoint>& points, FigureScale xScale);

// Pictures side by side: PNG files' bytes with words below each.
struct FigurePicture {
  std::string words, png;
};
ReportFigure pictureFigure(const std::string& caption, const std::vector<FigurePicture>& pictures);

std::string base64(std::string_view bytes); // RFC 4648

} // namespace voxlab
