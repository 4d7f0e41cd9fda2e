// SPDX-License-Identifier: GPL-3.0-or-later
// The viewer's page on a display, with a folder of files for it.
#pragma once
#include "core/base/files.h"
#include "core/imaging/volume_io.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_page.h"
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace voxlab {

inline constexpr int kPatience_ms = 30000;

class ViewerPageTest : public testing::Test {
protected:
  ViewerPageTest() {
    page.resize(1100, 760);
    page.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
  }
  QString save(const std::string& name, const Volume& volume, VoxelType type = VoxelType::Float32) {
    const auto file = folder.path() / name;
    EXPECT_TRUE(writeNifti(file, volume, type));
    return QString::fromStdString(file.string());
  }
  QString saveText(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(writeFileAtomically(folder.path() / name, bytes));
    return QString::fromStdString((folder.path() / name).string());
  }
  void waitForLoad() {
    QSignalSpy finished(&page, &ViewerPage::loadFinished);
    if (page.isLoading()) {
      EXPECT_TRUE(finished.wait(kPatience_ms));
    }
  }
  void open(const QString& path) {
    page.openFile(path);
    waitForLoad();
  }
  QAction* command(const QString& text) {
    for (QAction* action : page.commands())
      if (action->text().contains(text))
        return action;
    ADD_FAILURE() << "no command " << text.toStdString();
    return nullptr;
  }
  const Grid grid = gridOf("LAS", {40, 48, 36});
  std::shared_ptr<Volume> head = volumeOf(grid, headAt), labels = volumeOf(grid, headLabelAt);
  TemporaryFolder folder;
  ViewerPage page;
};

} // namespace voxlab
