// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels page says can be read, in small windows too: words fit where they stand, nothing is cut by an edge.
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "widgets/pages/counters_panel.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/selection_bar.h"
#include "widgets/pages/tab_card.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/scatter_plot.h"
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <gtest/gtest.h>

namespace voxlab {
namespace {
// The page in windows of 1000 × 700 (the smallest that the program is meant for), 1280 × 800, 1440 × 900, 1920 × 1200.
constexpr QSize kSmallest(668, 594), kSizes[] = {kSmallest, {890, 694}, {1050, 794}, {1530, 1094}};
constexpr const char* kProfiles[] = {"trace_baseline_128.json.gz", "trace_opt1_128.json.gz", "ncu_raw_opt1_128.csv.gz"};

class KernelsPageLayout : public testing::Test {
protected:
  void show(const char* name, const QSize& size) {
    page.resize(size);
    page.show();
    page.openFile(QString::fromStdString((testData() / "profiles" / name).string()));
    EXPECT_SOON(!page.isLoading());
    ASSERT_TRUE(page.view()) << name;
    page.grab();
  }
  KernelTableView* table() { return page.findChild<KernelTableView*>(); }
  KernelsPage page;
};

TEST_F(KernelsPageLayout, NoPartIsWiderThanTheSmallestWindow) {
  show("trace_opt1_128.json.gz", kSmallest);
  EXPECT_LE(page.minimumSizeHint().width(), kSmallest.width());
  EXPECT_LE(page.minimumSizeHint().height(), kSmallest.height());
}

TEST_F(KernelsPageLayout, CellsInSightHoldTheirWordsAndNoColumnOrRowIsCut) {
  for (const char* name : kProfiles)
    for (const QSize& size : kSizes) {
      show(name, size);
      const QHeaderView* heading = table()->header();
      const int width = table()->viewport()->width(), height = table()->viewport()->height();
      int inSight = 0, columns = 0;
      for (int column = 0; column < heading->count(); ++column) {
        const int left = heading->sectionViewportPosition(column), right = left + heading->sectionSize(column);
        if (left >= width)
          continue;
        ++columns;
        EXPECT_LE(right, width) << name << ", " << size.width() << " wide: column " << column << " is cut";
        const QFontMetrics metrics = table()->fontMetrics();
        EXPECT_GE(heading->sectionSize(column), metrics.horizontalAdvance(kernelColumnTitle(column)) + 16) << "heading " << column;
        const int besides = column == KernelTableModel::Name ? 33 : column == KernelTableModel::Share ? 62 : 16; // mark or bar, and the margins
        inSight = 0;
        for (QModelIndex row = table()->indexAt({5, 5}); row.isValid() && table()->visualRect(row).top() < height; row = table()->indexBelow(row)) {
          const QRect place = table()->visualRect(row);
          EXPECT_LE(place.bottom(), height) << name << ", " << size.height() << " high: row " << row.row() << " is cut";
          const QString text = row.siblingAtColumn(column).data(Qt::DisplayRole).toString();
          EXPECT_LE(metrics.horizontalAdvance(text) + besides, heading->sectionSize(column)) << name << ", " << size.width() << " wide: " << text.toStdString();
          ++inSight;
        }
      }
      EXPECT_GE(columns, 3) << size.width();
      EXPECT_GE(inSight, 4) << size.height();
    }
}

TEST_F(KernelsPageLayout, EveryTabStandsWholeInItsCard) {
  for (const QSize& size : kSizes) {
    show("trace_opt1_128.json.gz", size);
    int tabs = 0;
    for (const TabCard* card : page.findChildren<TabCard*>()) {
      if (!card->isVisible())
        continue;
      for (int tab = 0; tab < card->bar()->count(); ++tab, ++tabs) {
        EXPECT_TRUE(card->bar()->rect().contains(card->bar()->tabRect(tab))) << size.width() << ": " << card->bar()->tabText(tab).toStdString();
        EXPECT_GE(card->bar()->tabRect(tab).width(), card->bar()->fontMetrics().horizontalAdvance(card->bar()->tabText(tab)));
      }
      EXPECT_TRUE(card->rect().contains(QRect(card->bar()->mapTo(card, QPoint()), card->bar()->size()))) << size.width();
    }
    EXPECT_EQ(tabs, 7) << size.width();
  }
}

TEST_F(KernelsPageLayout, TabsBesideTheTableGoBelowItAndComeBack) {
  show("trace_opt1_128.json.gz", kSizes[2]);
  const auto cards = page.findChildren<TabCard*>();
  ASSERT_EQ(cards.size(), 2);
  page.showTab(QStringLiteral("roofline"));
  page.resize(kSmallest);
  page.showTab(QStringLiteral("counters"));
  const auto shows = [&](const char* name) {
    return std::any_of(cards.begin(), cards.end(), [&](const TabCard* card) { return card->isVisible() && card->shown() == QLatin1String(name); });
  };
  EXPECT_TRUE(shows("counters"));
  page.resize(kSizes[2]);
  EXPECT_TRUE(shows("counters")) << "what was in front stays in front";
  EXPECT_TRUE(shows("timeline"));
}

TEST_F(KernelsPageLayout, TheHeadlineNamesStepsAndDeviceWhole) {
  for (const QSize& size : kSizes) {
    show("trace_baseline_128.json.gz", size);
    const auto lines = page.findChildren<FactLine*>();
    const auto headline = std::find_if(lines.begin(), lines.end(), [](const FactLine* line) { return line->facts().contains(QStringLiteral("NVIDIA H200")); });
    ASSERT_NE(headline, lines.end());
    EXPECT_TRUE((*headline)->facts().contains(QStringLiteral("2 steps")));
    EXPECT_GE((*headline)->height(), (*headline)->heightForWidth((*headline)->width())) << size.width();
    EXPECT_GE((*headline)->width(), (*headline)->minimumSizeHint().width());
  }
}

TEST_F(KernelsPageLayout, ManyPartsOfASelectionFitIntoTheSmallestWindow) {
  show("trace_opt1_128.json.gz", kSmallest);
  const auto& step = page.profile()->trace.steps[1];
  page.selection().setStep(2, step.start_ns, step.end_ns);
  page.selection().chooseCategory(KernelCategory::ConvolutionBackward);
  page.selection().setOperator(Phase::Backward, QStringLiteral("aten::convolution_backward"));
  page.selection().setModule(QStringLiteral("output_blocks.8.0.in_layers.a_long_name_of_a_module"));
  EXPECT_SOON(!page.isLoading());
  page.grab();
  EXPECT_EQ(page.width(), kSmallest.width());
  const auto* bar = page.findChild<SelectionBar*>();
  ASSERT_TRUE(bar->isVisible());
  int buttons = 0;
  for (const QPushButton* button : bar->findChildren<QPushButton*>())
    if (button->isVisible()) {
      ++buttons;
      EXPECT_GE(button->width(), button->sizeHint().width()) << button->text().toStdString();
      EXPECT_LE(button->geometry().right(), bar->width()) << button->text().toStdString();
    }
  EXPECT_EQ(buttons, 5) << "four parts, and all of them together";
}

TEST_F(KernelsPageLayout, TheLegendSaysHowManyItHasNoRoomFor) {
  show("trace_baseline_128.json.gz", kSmallest);
  const auto* bar = page.findChild<CategoryBar*>();
  EXPECT_GT(bar->legendLeft(), 5u);
  page.resize(2600, 900);
  page.grab();
  EXPECT_EQ(bar->legendLeft(), 0u);
}

TEST_F(KernelsPageLayout, NamesOfCeilingsStandBesideThePoints) {
  for (const char* name : {"trace_baseline_128.json.gz", "trace_opt1_128.json.gz"})
    for (const QSize& size : kSizes) {
      show(name, size);
      page.showTab(QStringLiteral("roofline"));
      auto* roof = page.findChild<ScatterPlot*>();
      roof->grab();
      const auto& words = roof->wordAreas();
      EXPECT_EQ(words.size(), 3u) << name << ", " << size.width() << ": BF16, TF32, FP32";
      for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_TRUE(QRectF(roof->rect()).contains(words[i]));
        for (std::size_t other = 0; other < i; ++other)
          EXPECT_FALSE(words[i].intersects(words[other])) << name << ", " << size.width();
        for (std::size_t point = 0; point < roof->points().size(); ++point)
          EXPECT_FALSE(words[i].contains(roof->circle(point).center())) << name << ", " << size.width() << ": " << roof->points()[point].hint.toStdString();
      }
    }
}

TEST_F(KernelsPageLayout, CountersAreNoWiderThanTheirCard) {
  for (const QSize& size : kSizes) {
    show("ncu_raw_opt1_128.csv.gz", size);
    page.showTab(QStringLiteral("counters"));
    page.grab();
    for (const auto* panel : page.findChildren<CountersPanel*>())
      if (panel->isVisible()) {
        EXPECT_LE(panel->width(), panel->parentWidget()->parentWidget()->width()) << size.width();
      }
  }
}

} // namespace
} // namespace voxlab
