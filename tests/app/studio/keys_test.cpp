// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys do what, and that they do nothing where somebody types.
#include "core/imaging/volume_io.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_samples_panel.h"
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QListWidget>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QTreeView>

using namespace voxlab;

namespace {
class Keys : public Window {
protected:
  Keys() { m_window->activateWindow(); }
  ViewerPage& viewer() { return *m_window->viewer(); }
  QTabWidget* tabs() { return viewer().findChild<QTabWidget*>(); }
  void openLabels() {
    Volume mask;
    mask.header.grid = {{16, 16, 16}, {{{2, 0, 0, -15}, {0, 2, 0, -15}, {0, 0, 2, -15}, {0, 0, 0, 1}}}};
    for (int i = 0; i < 16 * 16 * 16; ++i)
      mask.voxels.push_back(i % 16 < 5 ? 0 : i % 16 < 11 ? 1 : 2);
    const auto file = m_folder / "mask.nii.gz";
    ASSERT_TRUE(writeNifti(file, mask, VoxelType::UInt8));
    const QString path = QString::fromStdString(file.string());
    m_window->openPaths({path});
    ASSERT_SOON(viewer().document().layerCount() == 1);
    viewer().setRunSamples(QStringLiteral("run"), {{path, QStringLiteral("one")}, {path, QStringLiteral("two")}});
  }
  QStringList done; // what the viewer's actions did
  void watchActions() {
    for (QAction* action : viewer().actions())
      QObject::connect(action, &QAction::triggered, action, [this, action] { done << action->text(); });
  }
};
} // namespace

TEST_F(Keys, PagesAndTheSheetAnswerInListsToo) {
  openLabels();
  int lists = 0;
  for (auto* list : m_window->findChildren<QAbstractItemView*>()) {
    m_window->showPage(QStringLiteral("volumes"));
    if (!list->isVisible() || list->window() != m_window.get() || list->focusPolicy() == Qt::NoFocus)
      continue;
    ++lists;
    list->setFocus();
    QTest::keyClick(list, Qt::Key_3);
    EXPECT_EQ(m_window->currentPage(), QStringLiteral("kernels")) << list->accessibleName().toStdString();
    m_window->showPage(QStringLiteral("volumes"));
    list->setFocus();
    bool isSheet = false;
    QTimer::singleShot(0, [&isSheet] {
      if (QWidget* sheet = QApplication::activeModalWidget()) {
        isSheet = true;
        sheet->close();
      }
    });
    QTest::keyClick(list, Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_TRUE(isSheet) << list->accessibleName().toStdString();
  }
  EXPECT_GE(lists, 2) << "layers, labels";
}

TEST_F(Keys, DoNothingWhereSomebodyTypes) {
  openLabels();
  for (QAction* action : viewer().commands())
    if (action->text() == QStringLiteral("Edit labels"))
      action->trigger(); // the bar has a field, too
  watchActions();
  QString typed;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    typed += QLatin1Char(letter);
  typed += QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789+-[],.<>?!");
  int fields = 0;
  for (QLineEdit* field : m_window->findChildren<QLineEdit*>()) {
    if (!field->isVisible() || !field->isEnabled())
      continue;
    ++fields;
    field->setFocus();
    field->clear();
    QTest::keyClicks(field, typed);
    if (!qobject_cast<QAbstractSpinBox*>(field->parentWidget())) { // which takes numbers only
      EXPECT_EQ(field->text(), typed) << field->accessibleName().toStdString();
    }
    EXPECT_EQ(done.join(QLatin1Char('\n')).toStdString(), "") << field->accessibleName().toStdString();
    EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
    EXPECT_FALSE(QApplication::activeModalWidget());
    field->clear();
    done.clear();
  }
  EXPECT_GE(fields, 3) << "runs, labels, the brush's size";
  auto* labels = viewer().findChild<QTreeView*>();
  labels->setFocus();
  labels->setCurrentIndex(labels->model()->index(0, 0));
  labels->edit(labels->currentIndex());
  auto* editor = labels->findChild<QLineEdit*>();
  ASSERT_TRUE(editor);
  editor->selectAll();
  QTest::keyClicks(editor, QStringLiteral("Grey_gyrus"));
  EXPECT_EQ(editor->text().toStdString(), "Grey_gyrus");
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_SOON(labels->model()->index(0, 0).data().toString() == QStringLiteral("Grey_gyrus"));
  EXPECT_EQ(done.join(QLatin1Char('\n')).toStdString(), "");
}

TEST_F(Keys, DoNothingInAnyPagesFields) {
  openLabels();
  for (const char* page : {"monitor", "kernels", "compare", "new-job", "settings"}) {
    m_window->showPage(QString::fromLatin1(page));
    for (QLineEdit* field : m_window->findChildren<QLineEdit*>())
      if (field->isVisible() && field->isEnabled() && !field->isReadOnly()) {
        const QString before = field->text();
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("4 g?123"));
        EXPECT_EQ(m_window->currentPage(), QString::fromLatin1(page)) << field->accessibleName().toStdString();
        EXPECT_FALSE(QApplication::activeModalWidget());
        field->setText(before);
      }
  }
}

TEST_F(Keys, PagesAndPanelsHaveTheirOwn) {
  openLabels();
  const char* pages[]{"monitor", "volumes", "kernels", "compare"};
  for (int page = 0; page < 4; ++page) {
    QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + page));
    EXPECT_EQ(m_window->currentPage(), QString::fromLatin1(pages[page]));
  }
  m_window->showPage(QStringLiteral("volumes"));
  auto* runs = m_window->runsPanel()->findChild<QLineEdit*>();
  for (QWidget* focus : {static_cast<QWidget*>(viewer().findChild<QTreeView*>()), static_cast<QWidget*>(runs)})
    for (int panel = 3; panel >= 0; --panel) {
      focus->setFocus();
      QTest::keyClick(focus, static_cast<Qt::Key>(Qt::Key_1 + panel), Qt::AltModifier);
      EXPECT_EQ(tabs()->currentIndex(), panel) << "wherever the focus is";
      EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
    }
  for (const auto modifier : {Qt::AltModifier, Qt::ControlModifier, Qt::MetaModifier}) {
    m_window->showPage(QStringLiteral("monitor"));
    QTest::keyClick(m_window.get(), Qt::Key_3, modifier);
    EXPECT_EQ(m_window->currentPage(), QStringLiteral("monitor"));
  }
}

// What the sheet says is what is so: the pages stand in the order of their numbers, and no key stands twice.
TEST_F(Keys, StandOnceInTheSheet) {
  openLabels();
  QHash<QString, QString> seen;
  const QList<Command> commands = m_window->commands();
  for (const Command& command : commands) {
    if (command.keys.isEmpty())
      continue;
    EXPECT_FALSE(seen.contains(command.keys)) << command.keys.toStdString() << ": " << command.title.toStdString() << " and " << seen.value(command.keys).toStdString();
    seen[command.keys] = command.title;
  }
  auto* tabBar = m_window->findChild<QTabBar*>(QStringLiteral("pages"));
  ASSERT_TRUE(tabBar);
  for (int page = 0; page < tabBar->count(); ++page)
    EXPECT_EQ(seen.value(QString::number(page + 1)), tabBar->tabText(page));
  for (int panel = 0; panel < tabs()->count(); ++panel)
    EXPECT_TRUE(seen.value(QStringLiteral("Alt+%1").arg(panel + 1)).contains(tabs()->tabText(panel)));
}
