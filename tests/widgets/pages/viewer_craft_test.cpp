// SPDX-License-Identifier: GPL-3.0-or-later
// What nobody notices until it is missing: keys for everything, names for everything, an order of focus.
#include "core/imaging/volume_io.h"
#include "rendering/qt/vtk_view.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/fold_strip.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_gestures.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_label_model.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeView>
#include <algorithm>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

class ViewerCraft : public testing::Test {
protected:
  ViewerCraft() {
    page.resize(1200, 800);
    page.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
    QApplication::setActiveWindow(&page); // a virtual display has no window manager that would
    page.openVolume(volumeOf(gridOf("RAS", {64, 64, 48}), headAt), QStringLiteral("head"));
    EXPECT_SOON(!page.isLoading() && page.document().layerCount() == 1);
    page.document().addOnTop(labelVolume());
    axial().setFocus();
  }
  ViewerSliceView& axial() { return page.grid().sliceView(SliceAxis::Axial); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&axial(), key, modifiers); }
  template <class Widget> Widget* named(const QString& name) {
    for (auto* widget : page.findChildren<Widget*>())
      if (widget->accessibleName() == name)
        return widget;
    return nullptr;
  }
  ViewerPage page;
};

TEST_F(ViewerCraft, EveryCommandHasAKey) {
  EXPECT_GT(page.commands().size(), 50);
  for (const QAction* action : page.commands()) {
    EXPECT_FALSE(action->shortcut().isEmpty()) << action->text().toStdString();
    EXPECT_FALSE(action->toolTip().isEmpty());
  }
}

// The sheet of shortcuts says what the views do with mouse and keys, each beside how it is done.
TEST_F(ViewerCraft, TheSheetKnowsTheGestures) {
  const QList<Command> gestures = viewerGestures();
  for (const char* how : {"Wheel", "Drag", "Ctrl+drag", "Shift+drag", "Middle drag", "Right drag", "Ctrl+wheel", "Double click"})
    EXPECT_TRUE(std::any_of(gestures.begin(), gestures.end(), [how](const Command& each) { return each.keys == QString::fromLatin1(how); })) << how;
  ShortcutsSheet sheet(gestures, &page);
  const auto words = sheet.findChildren<QLabel*>();
  for (const Command& each : gestures) {
    EXPECT_TRUE(std::any_of(words.begin(), words.end(), [&](const QLabel* label) { return label->text() == each.title; })) << each.title.toStdString();
    EXPECT_TRUE(std::any_of(words.begin(), words.end(), [&](const QLabel* label) { return label->text() == each.keys; })) << each.keys.toStdString();
  }
}

TEST_F(ViewerCraft, NumbersOfLabelsStandWhole) {
  page.document().editLayer(1, [](SliceLayer& layer) {
    for (Label& label : layer.labels.labels)
      label.name = "ctx_lh_G_and_S_transverse_frontopolar_of_an_atlas_with_long_names_" + std::to_string(label.value);
  });
  emit page.document().layersChanged();
  auto* list = page.findChild<QTreeView*>();
  for (const int column : {ViewerLabelModel::Value, ViewerLabelModel::Volume}) {
    const QString title = list->model()->headerData(column, Qt::Horizontal).toString();
    EXPECT_GE(list->columnWidth(column), list->fontMetrics().horizontalAdvance(title) + 8);
    for (int row = 0; row < list->model()->rowCount(); ++row) {
      const QModelIndex index = list->model()->index(row, column);
      EXPECT_GE(list->columnWidth(column), list->fontMetrics().horizontalAdvance(index.data().toString()) + 8);
      EXPECT_LE(list->visualRect(index).right(), list->viewport()->width());
      EXPECT_TRUE(index.siblingAtColumn(0).data(Qt::ToolTipRole).toString().contains(index.siblingAtColumn(0).data().toString())) << "the whole name";
    }
  }
  QSignalSpy arranged(list->model(), &QAbstractItemModel::layoutChanged);
  list->sortByColumn(ViewerLabelModel::Volume, Qt::DescendingOrder);
  EXPECT_EQ(arranged.count(), 1);
  EXPECT_GE(list->model()->index(0, ViewerLabelModel::Volume).data(Qt::UserRole).toDouble(), list->model()->index(1, ViewerLabelModel::Volume).data(Qt::UserRole).toDouble());
}

TEST_F(ViewerCraft, KeysDoWhatTheirCommandsSay) {
  const int labels = page.document().labelLayer(), image = page.document().imageLayer();
  key(Qt::Key_O);
  EXPECT_EQ(page.document().layer(labels).style, LabelStyle::Outline);
  key(Qt::Key_M);
  EXPECT_EQ(page.document().layer(image).colourMap, ColourMap::InvertedGrey);
  const double zoom = page.document().zoom();
  key(Qt::Key_Plus);
  EXPECT_GT(page.document().zoom(), zoom);
  key(Qt::Key_Minus);
  EXPECT_NEAR(page.document().zoom(), zoom, 1e-9);
  page.document().setActiveLayer(image);
  page.document().editLayer(image, [](SliceLayer& layer) { layer.range = {3, 4}; });
  key(Qt::Key_A, Qt::ShiftModifier);
  EXPECT_EQ(page.document().layer(image).range, robustRange(page.document().source(image).summary));
  key(Qt::Key_K, Qt::ShiftModifier);
  EXPECT_TRUE(page.document().isRangeLocked());
  key(Qt::Key_N, Qt::ShiftModifier);
  EXPECT_EQ(page.document().activeLayer(), labels);
  auto* radius = named<QDoubleSpinBox>(QStringLiteral("Radius of the brush"));
  ASSERT_NE(radius, nullptr);
  const double before = radius->value();
  key(Qt::Key_B, Qt::ShiftModifier);
  EXPECT_TRUE(radius->isVisible()) << "the editor's tools came";
  key(Qt::Key_BracketRight);
  EXPECT_GT(radius->value(), before);
  key(Qt::Key_2, Qt::AltModifier);
  EXPECT_EQ(page.findChild<QTabWidget*>()->currentIndex(), 1);
  axial().setFocus();
  key(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(page.document().layerCount(), 1);
}

TEST_F(ViewerCraft, KeysWorkAsSoonAsAVolumeIsShownUnlessSomebodyTypes) {
  QWidget window;
  auto* elsewhere = new QPushButton(QStringLiteral("elsewhere"), &window);
  auto* filter = new QLineEdit(&window);
  auto* viewer = new ViewerPage(&window);
  viewer->setGeometry(0, 40, 900, 600);
  filter->move(200, 0);
  window.resize(900, 640);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  QApplication::setActiveWindow(&window);
  const auto open = [&] {
    viewer->openVolume(volumeOf(gridOf("RAS", {32, 32, 32}), headAt), QStringLiteral("head"));
    EXPECT_SOON(!viewer->isLoading() && viewer->document().layerCount() == 1);
  };
  elsewhere->setFocus();
  open();
  EXPECT_TRUE(viewer->isAncestorOf(QApplication::focusWidget()));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_M);
  EXPECT_EQ(viewer->document().layer(0).colourMap, ColourMap::InvertedGrey);
  filter->setFocus();
  open();
  EXPECT_EQ(QApplication::focusWidget(), filter);
}

TEST_F(ViewerCraft, NoBarWidensTheWindow) {
  page.document().addOnTop(headVolume());
  const int before = page.minimumSizeHint().width();
  EXPECT_LT(before, 760);
  key(Qt::Key_C); // compare
  key(Qt::Key_E); // edit
  page.document().setActiveLayer(0);
  EXPECT_SOON(named<QComboBox>(QStringLiteral("How they are compared"))->isVisible() && named<QDoubleSpinBox>(QStringLiteral("Radius of the brush"))->isVisible());
  EXPECT_LE(page.minimumSizeHint().width(), before + 40);
  page.resize(before + 40, 700);
  for (const auto* box : page.findChildren<QComboBox*>())
    if (box->isVisible()) {
      EXPECT_LE(box->mapTo(&page, QPoint(box->width(), 0)).x(), page.width()) << box->accessibleName().toStdString();
    }
}

TEST_F(ViewerCraft, KeysStayWithThePicturesWhenTheyAreArrangedAnew) {
  page.document().addOnTop(headVolume());
  key(Qt::Key_C); // the views of comparing take the others' place
  EXPECT_TRUE(page.grid().isAncestorOf(QApplication::focusWidget())) << QApplication::focusWidget()->metaObject()->className();
  EXPECT_TRUE(QApplication::focusWidget()->isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_C);
  EXPECT_TRUE(page.grid().isAncestorOf(QApplication::focusWidget()));
  EXPECT_TRUE(QApplication::focusWidget()->isVisible());
}

TEST_F(ViewerCraft, PicturesAreSavedForPrint) {
  const TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "figure.png").string());
  QSignalSpy finished(&page, &ViewerPage::screenshotFinished);
  page.saveScreenshot(path, 2);
  ASSERT_SOON(finished.count() == 1);
  EXPECT_NEAR(QImage(path).dotsPerMeterX() * 0.0254, 300, 0.1);
}

TEST_F(ViewerCraft, KeysReachTheThreeDViewsSwitches) {
  if (!VtkView::isPossible())
    GTEST_SKIP() << "no OpenGL display";
  auto& view = page.grid().volumeView();
  key(Qt::Key_B);
  EXPECT_EQ(view.cropping(), Visibility::Shown);
  key(Qt::Key_K);
  EXPECT_EQ(view.cutPlanes().planes().size(), 1u);
  key(Qt::Key_P);
  EXPECT_EQ(view.planes(), Visibility::Shown);
  key(Qt::Key_4, Qt::ControlModifier);
  const auto camera = view.scene().camera();
  EXPECT_GT(camera.position.x - camera.focus.x, 10) << "from the patient's right";
  const std::string preset = view.transfer().key;
  key(Qt::Key_P, Qt::ShiftModifier);
  EXPECT_NE(view.transfer().key, preset);
}

TEST_F(ViewerCraft, EverythingThatTakesTheFocusHasAName) {
  key(Qt::Key_E); // the editor's tools too
  auto* tabs = page.findChild<QTabWidget*>();
  for (int tab = 0; tab < tabs->count(); ++tab) {
    tabs->setCurrentIndex(tab);
    for (const QWidget* widget : page.findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_")) || widget->focusProxy())
        continue;
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      const bool inner = qobject_cast<const QLineEdit*>(widget) && qobject_cast<const QAbstractSpinBox*>(widget->parentWidget());
      const auto* label = qobject_cast<const QLabel*>(widget); // text to be selected
      EXPECT_TRUE(inner || (label && !label->text().isEmpty()) || !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()))
          << tabs->tabText(tab).toStdString() << ": " << widget->metaObject()->className() << " in " << widget->parentWidget()->metaObject()->className();
    }
    for (const QAbstractButton* button : page.findChildren<QAbstractButton*>())
      if (button->isVisible() && button->text().isEmpty() && !button->objectName().startsWith(QLatin1String("qt_")) && !qobject_cast<const QLineEdit*>(button->parentWidget())) {
        EXPECT_FALSE(button->toolTip().isEmpty()) << button->accessibleName().toStdString();
      }
  }
}

// Tools, then the views in reading order, then the panel.
TEST_F(ViewerCraft, TabGoesFromTheToolsOverTheViewsToThePanel) {
  const auto place = [&](const QWidget* widget) {
    for (; widget && widget != &page; widget = widget->parentWidget()) {
      if (widget == &page.grid())
        return 1;
      if (qobject_cast<const QTabWidget*>(widget) || qobject_cast<const FoldStrip*>(widget)) // which folds it
        return 2;
    }
    return 0;
  };
  QWidget* first = named<QAbstractButton>(QStringLiteral("Open a volume…"));
  ASSERT_NE(first, nullptr);
  first->setFocus(Qt::TabFocusReason);
  std::vector<int> places;
  const QWidget* last = nullptr;
  for (int i = 0; i < 60 && QApplication::focusWidget() != last; ++i) {
    last = QApplication::focusWidget();
    if (places.empty() || places.back() != place(last))
      places.push_back(place(last));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    if (QApplication::focusWidget() == first)
      break;
  }
  EXPECT_THAT(places, testing::ElementsAre(0, 1, 2)) << "once round";
}

} // namespace
} // namespace voxlab
