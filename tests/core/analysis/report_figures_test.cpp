// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/report_figures.h"
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;

TEST(ReportFigures, Base64IsAsInTheStandard) {
  const std::pair<const char*, const char*> cases[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(base64(text), expected);
}

TEST(ReportFigures, BarsShowUnknownAsUnknown) {
  const ReportFigure figure = barFigure("times", {{"a", 1.0, 0.9, 1.1, "1 ×"}, {"b", {}, {}, {}, ""}}, 1.0);
  EXPECT_THAT(figure.markup, HasSubstr("y1=\"16.00\"")); // the reference crosses the bars, not their words
  EXPECT_THAT(figure.markup, HasSubstr("–"));
  EXPECT_TRUE(barFigure("nothing", {{"a", {}, {}, {}, ""}}).markup.empty());
}

TEST(ReportFigures, BarsOfModesHaveTheModesColours) {
  const ReportFigure figure = barFigure("times", {{"baseline · NVIDIA H200", 1.0, {}, {}, ""}, {"opt1", 0.5, {}, {}, ""}, {"my own", 0.3, {}, {}, ""}});
  EXPECT_THAT(figure.markup, HasSubstr("height=\"12\" fill=\"#0072b2\"")) << "opt1's";
  EXPECT_THAT(figure.markup, HasSubstr("#009e73")) << "of what has none";
}

namespace {
std::vector<FigurePoint> points(double low, double high) {
  return {{"a · ddim 50", 0.23, high, "a", true}, {"b <x>", 61, low, "b", true}, {"c", 70, high, "c", false}};
}
} // namespace

TEST(ReportFigures, AxesHaveRoundTicks) {
  const std::string markup = scatterFigure("q", "Time, s", "SSIM", points(0.70312, 0.7855), FigureScale::Logarithmic).markup;
  for (const char* tick : {">0.1<", ">1<", ">10<", ">100<", ">0.70<", ">0.72<", ">0.78<"})
    EXPECT_THAT(markup, HasSubstr(tick));
  EXPECT_THAT(markup, HasSubstr("2\u00a0b &lt;x&gt;"));
  EXPECT_THAT(scatterFigure("q", "Time, s", "SSIM", points(0.999991, 0.999993), FigureScale::Logarithmic).markup, HasSubstr(">0.99995<")) << "what is almost equal looks almost equal";
  for (const double same : {0.0, 1.0, -3e7})
    EXPECT_THAT(scatterFigure("q", "x", "y", {{"a", same, same, "a", true}}, FigureScale::Linear).markup, Not(HasSubstr("nan"))) << same;
}

// Numbers stand on the side of the front where no other points are.
TEST(ReportFigures, NumbersOfAFallingFrontStandBelowIt) {
  const auto placeOf = [](const std::string& markup, const std::string& number) {
    const auto end = markup.find("text-anchor=\"middle\">" + number + "</text>"), at = markup.rfind("y=\"", end);
    return std::stod(markup.substr(at + 3));
  };
  const auto circle = [](const std::string& markup, int n) {
    std::size_t at = 0;
    for (int k = 0; k <= n; ++k)
      at = markup.find("cy=\"", at) + 4;
    return std::stod(markup.substr(at));
  };
  const std::string falling = scatterFigure("q", "x", "y", points(0.1, 0.9), FigureScale::Logarithmic).markup;
  EXPECT_GT(placeOf(falling, "2"), circle(falling, 1));
  EXPECT_GT(placeOf(falling, "1"), circle(falling, 0));
  const std::string rising = scatterFigure("q", "x", "y", points(0.9, 0.1), FigureScale::Logarithmic).markup;
  EXPECT_LT(placeOf(rising, "2"), circle(rising, 1));
}
