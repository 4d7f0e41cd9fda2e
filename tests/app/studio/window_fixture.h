// SPDX-License-Identifier: GPL-3.0-or-later
// The real main window with the fake worker, on a runs folder of its own.
#pragma once
#include "app/studio/main_window.h"
#include "app/studio/style.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "widgets/pages/field_editor.h"
#include "widgets/pages/form_row.h"
#include "widgets/pages/job_summary.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/log_view.h"
#include "widgets/pages/monitor_page.h"
#include "widgets/pages/sample_strip.h"
#include "widgets/pages/spec_form.h"
#include "widgets/pages/toasts.h"
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <csignal>
#include <gtest/gtest.h>

namespace voxlab {

class Window : public testing::Test {
protected:
  Window() {
    tell("VOXLAB_RUNS", m_folder.path().c_str());
    tell("VOXLAB_WORKER", program("voxlab-fake-worker").c_str());
    tell("VOXLAB_FAKE_STEP_MS", "5");
    applyFont();
    applyTheme(*qApp, ThemeKind::Light);
    open();
  }
  ~Window() override {
    std::vector<RunDirectory> runs;
    for (const RunListing& run : bench().store().runs())
      runs.emplace_back(run.path);
    for (const RunDirectory& run : runs)
      if (const auto holder = run.lockHolder())
        ::kill(static_cast<pid_t>(holder->pid), SIGKILL);
    for (const RunDirectory& run : runs)
      EXPECT_SOON(!run.isLocked());
    m_window.reset();
    for (const QByteArray& name : m_told)
      qunsetenv(name);
  }

  void open() {
    m_settings = std::make_unique<Settings>(QString::fromStdString((m_folder / "settings.ini").string()));
    m_window = std::make_unique<MainWindow>(*m_settings);
    m_window->show();
    m_window->begin();
    EXPECT_SOON(m_window->isSettled());
  }
  void tell(const char* name, const char* value) {
    qputenv(name, value);
    m_told << name;
  }
  Workbench& bench() { return m_window->workbench(); }
  SpecForm* form() { return m_window->launchPage()->form(); }
  JobSummary* summary() { return m_window->launchPage()->summary(); }
  RunHeader* header() { return m_window->runHeader(); }
  QLineEdit* field(const char* key) { return qobject_cast<QLineEdit*>(form()->row(QString::fromLatin1(key))->editor()->focusTarget()); }
  // As a user types: select all, then key after key.
  void type(const char* key, const QString& text) {
    QLineEdit* edit = field(key);
    ASSERT_NE(edit, nullptr) << key;
    edit->selectAll();
    text.isEmpty() ? QTest::keyClick(edit, Qt::Key_Delete) : QTest::keyClicks(edit, text);
  }
  void fillForm(const QString& steps) {
    m_window->showPage(QStringLiteral("new-job"));
    type("data.images", QStringLiteral("/data/heads/images"));
    type("data.masks", QStringLiteral("/data/heads/masks"));
    type("data.size", QStringLiteral("16 16 16"));
    type("train.steps", steps);
    type("train.sample_every", QStringLiteral("10"));
    type("train.log_every", QStringLiteral("1"));
  }
  bool isOutcome(RunOutcome outcome) { return header()->heading().outcome == outcome; }
  bool isPhase(RunPhase phase) { return header()->heading().phase == phase; }
  RunDirectory run() { return RunDirectory(bench().current()->path); }
  static void click(QAbstractButton* button) { QTest::mouseClick(button, Qt::LeftButton); }

  TemporaryFolder m_folder;
  std::unique_ptr<Settings> m_settings;
  std::unique_ptr<MainWindow> m_window;
  QList<QByteArray> m_told;
};

} // namespace voxlab
