// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/wheel_guard.h"
#include "tests/support/qt/waiting.h"
#include "widgets/pages/experiment_dialog.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/bar_plot.h"
#include <QApplication>
#include <qtestspontaneevent.h>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
// As the mouse does: down by a notch, over the middle of the widget.
void turnWheel(QWidget* over) {
  const QPointF middle = QRectF(over->rect()).center();
  QWheelEvent event(middle, over->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&event); // only what comes from outside goes on to the parent, and focuses
  qApp->notify(over, &event);
}

struct Form {
  Form() : content(new QWidget), column(new QVBoxLayout(content)), area(makeScrollArea(content)) {
    area->resize(300, 120);
    for (int n = 0; n < 20; ++n)
      column->addWidget(makeLabel(QStringLiteral("line")));
  }
  ~Form() { delete area; }
  QWidget* content;
  QVBoxLayout* column;
  QScrollArea* area;
};
} // namespace

TEST(WheelGuard, TheWheelScrollsTheFormAndChangesNoField) {
  Form form;
  auto* number = new QSpinBox;
  auto* choice = new QComboBox;
  auto* slider = new QSlider(Qt::Horizontal);
  choice->addItems({"a", "b", "c"});
  number->setValue(50);
  slider->setValue(50);
  auto* inner = new QWidget; // put in later, fields and all
  auto* row = new QVBoxLayout(inner);
  for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(choice), static_cast<QWidget*>(slider)})
    row->addWidget(field);
  form.column->insertWidget(0, inner);
  form.area->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(form.area));
  form.area->setFocus();
  for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(choice), static_cast<QWidget*>(slider)}) {
    EXPECT_NE(field->focusPolicy(), Qt::WheelFocus) << "it would be focused before anybody could say no";
    const int before = form.area->verticalScrollBar()->value();
    turnWheel(field);
    EXPECT_GT(form.area->verticalScrollBar()->value(), before) << field->metaObject()->className();
  }
  EXPECT_EQ(number->value(), 50);
  EXPECT_EQ(choice->currentIndex(), 0);
  EXPECT_EQ(slider->value(), 50);
  form.area->activateWindow();
  number->setFocus();
  ASSERT_SOON(number->hasFocus());
  turnWheel(number);
  EXPECT_EQ(number->value(), 49) << "who is in the field means the field";
}

TEST(WheelGuard, APlotScrollsThePage) {
  Form form;
  auto* plot = new BarPlot(form.content);
  plot->setBars({QStringLiteral("a"), QStringLiteral("b")}, {{QStringLiteral("time"), QStringLiteral("blue"), {{1.0, std::nullopt}, {2.0, std::nullopt}}}});
  form.column->insertWidget(0, plot);
  form.area->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(form.area));
  ASSERT_TRUE(plot->showsData());
  QWidget* canvas = plot->childAt(plot->rect().center());
  ASSERT_NE(canvas, nullptr);
  turnWheel(canvas);
  EXPECT_GT(form.area->verticalScrollBar()->value(), 0) << canvas->metaObject()->className();
}

TEST(WheelGuard, OverALineEditInsideAFieldItIsTheFieldsToo) {
  Form form;
  auto* number = new QSpinBox;
  number->setValue(50);
  form.column->insertWidget(0, number);
  form.area->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(form.area));
  form.area->setFocus();
  turnWheel(number->findChild<QWidget*>(QStringLiteral("qt_spinbox_lineedit")));
  EXPECT_EQ(number->value(), 50);
}

TEST(WheelGuard, NoFieldOfTheExperimentsDialogTakesTheFocusByWheel) {
  ExperimentDialog dialog{Catalog()};
  dialog.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
  const auto fields = dialog.findChildren<QAbstractSpinBox*>();
  ASSERT_EQ(fields.size(), 3);
  for (QAbstractSpinBox* field : fields) {
    const QString before = field->text();
    field->clearFocus();
    turnWheel(field);
    EXPECT_EQ(field->text(), before) << field->accessibleName().toStdString();
    EXPECT_NE(field->focusPolicy(), Qt::WheelFocus);
  }
}
