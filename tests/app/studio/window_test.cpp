// SPDX-License-Identifier: GPL-3.0-or-later
// The window itself: pages, keys, palette, theme, screenshots from the command line.
#include "app/studio/english_plurals.h"
#include "app/studio/studio_options.h"
#include "core/base/files.h"
#include "tests/app/studio/window_fixture.h"
#include "tests/support/process.h"
#include "widgets/pages/command_palette.h"
#include "widgets/pages/settings_page.h"
#include <QDir>
#include <QImage>
#include <QScreen>
#include <QSettings>
#include <fstream>

using namespace voxlab;

TEST_F(Window, EmptyItOffersTheDemoAndTheExamples) {
  int buttons = 0;
  for (const QPushButton* button : m_window->runsPanel()->findChildren<QPushButton*>())
    buttons += button->isVisible() ? 1 : 0;
  EXPECT_EQ(buttons, 2);
}

TEST_F(Window, KeysSwitchPages) {
  QTest::keyClick(m_window.get(), Qt::Key_2);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  QTest::keyClick(m_window.get(), Qt::Key_1);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("monitor"));
}

TEST_F(Window, EveryButtonHasAName) {
  for (const char* page : {"monitor", "new-job", "settings"}) {
    m_window->showPage(QString::fromLatin1(page));
    for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
      const bool inner = button->objectName().startsWith(QLatin1String("qt_")) || !button->isVisible(); // Qt's own parts
      EXPECT_TRUE(inner || !button->text().isEmpty() || !button->accessibleName().isEmpty() || qobject_cast<const QLineEdit*>(button->parentWidget()))
          << page << ": " << button->metaObject()->className() << " in " << button->parentWidget()->metaObject()->className();
    }
  }
}

TEST_F(Window, ANoticeThatLeadsToAnotherOneStaysUntilItsClickIsOver) {
  Toasts* toasts = m_window->toasts();
  bool over = false;
  toasts->add(ToastKind::Attention, QStringLiteral("first"), QStringLiteral("Go"), [this, &over] {
    for (int i = 0; i < 4; ++i)
      m_window->toasts()->add(ToastKind::Information, QStringLiteral("next"));
    over = true;
  });
  for (QPushButton* link : toasts->findChildren<QPushButton*>())
    if (link->text() == QLatin1String("Go"))
      click(link);
  EXPECT_TRUE(over);
  EXPECT_EQ(toasts->count(), 4);
  EXPECT_EQ(toasts->newestText(), QStringLiteral("next"));
}

TEST_F(Window, FitsASmallScreen) {
  EXPECT_LE(m_window->minimumSizeHint().width(), 1000);
  EXPECT_LE(m_window->minimumSizeHint().height(), 700);
}

TEST_F(Window, ThePaletteFindsAndRuns) {
  bool ran = false;
  CommandPalette palette(m_window.get());
  palette.open({{QStringLiteral("New job"), QStringLiteral("Go to"), {}, {}, [] {}, true}, {QStringLiteral("Settings"), QStringLiteral("Go to"), {}, {}, [&] { ran = true; }, true}});
  auto* edit = palette.findChild<QLineEdit*>();
  QTest::keyClicks(edit, QStringLiteral("sett"));
  EXPECT_EQ(palette.shownCount(), 1);
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_TRUE(ran);
}

TEST_F(Window, ANewRunsFolderIsLookedAtOnce) {
  const TemporaryFolder other;
  JobSpec spec("sample");
  ASSERT_TRUE(RunDirectory::create(other.path(), spec, {}));
  qunsetenv("VOXLAB_RUNS");
  SettingsValues values = m_window->settingsPage()->values();
  values.runsFolder = QString::fromStdString(other.path().string());
  emit m_window->settingsPage()->changed(values);
  EXPECT_SOON(bench().store().runs().size() == 1);
  EXPECT_EQ(Settings(QString::fromStdString((m_folder / "settings.ini").string())).runsFolder(), values.runsFolder);
}

TEST_F(Window, BothThemesReplaceEveryColourName) {
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
    const QString sheet = styleSheetOf(themeColours(kind), QString::fromStdString(m_folder.path().string()));
    EXPECT_FALSE(sheet.isEmpty());
    EXPECT_FALSE(sheet.contains(QLatin1Char('@')));
  }
}

TEST_F(Window, TheProgramSavesItsWindowAndLeaves) {
  const auto file = m_folder / "shot.png";
  const auto end = runProcess(program("voxlab"), {"--runs", (m_folder / "runs").string(), "--page", "new-job", "--theme", "dark", "--size", "1200x800", "--screenshot", file.string()});
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  const QImage picture(QString::fromStdString(file.string()));
  ASSERT_EQ(picture.size(), QSize(1200, 800));
  EXPECT_LT(qGray(picture.pixel(600, 790)), 64); // dark
}

TEST_F(Window, APictureFromTheCommandLineLeavesNoTraceInTheSettings) {
  const QString folder = QString::fromStdString((m_folder / "home").string());
  ASSERT_TRUE(QDir().mkpath(folder + QStringLiteral("/voxlab")));
  QSettings own(folder + QStringLiteral("/voxlab/voxlab.conf"), QSettings::NativeFormat);
  own.setValue(QStringLiteral("theme"), QStringLiteral("dark"));
  own.sync();
  const auto before = readTextFile(own.fileName().toStdString());
  ASSERT_TRUE(before);
  tell("XDG_CONFIG_HOME", folder.toUtf8().constData());
  const auto file = m_folder / "shot.png", volume = testData() / "imaging" / "nifti" / "ras.nii.gz";
  const auto end = runProcess(program("voxlab"), {"--runs", (m_folder / "runs").string(), "--screenshot", file.string(), volume.string()});
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  const QImage picture(QString::fromStdString(file.string()));
  EXPECT_LT(qGray(picture.pixel(picture.width() / 8, picture.height() - 5)), 64) << "as the user likes it";
  EXPECT_EQ(readTextFile(own.fileName().toStdString()).value_or(""), *before) << "no recent file, no layout";
}

TEST_F(Window, AWindowThatIsSizedForNowStaysOnTheScreen) {
  const QRect room = m_window->screen()->availableGeometry();
  m_window->move(room.right() - 100, room.bottom() - 100);
  m_window->resizeForNow(QSize(std::min(1000, room.width()), std::min(700, room.height())));
  const QRect window = m_window->frameGeometry(); // its least size may be larger than a test's screen
  EXPECT_TRUE(window.right() <= room.right() || window.left() == room.left()) << window.left();
  EXPECT_TRUE(window.bottom() <= room.bottom() || window.top() == room.top()) << window.top();
}

TEST(EnglishPlurals, OneAndMany) {
  EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  EXPECT_EQ(QObject::tr("%n volume(s)", nullptr, 1), QStringLiteral("1 volume"));
  EXPECT_EQ(QObject::tr("%n volume(s)", nullptr, 0), QStringLiteral("0 volumes"));
  EXPECT_EQ(QObject::tr("%n volume(s) of %n", nullptr, 12), QStringLiteral("12 volumes of 12"));
  EXPECT_EQ(QObject::tr("f(s)"), QStringLiteral("f(s)"));
}

TEST(StudioOptions, KnowsItsOwnAndRefusesOthersInWords) {
  const auto good = parseOptions({QStringLiteral("voxlab"), QStringLiteral("--demo"), QStringLiteral("--size"), QStringLiteral("1440x900"), QStringLiteral("a.nii")});
  ASSERT_TRUE(good);
  EXPECT_TRUE(good->demo);
  EXPECT_EQ(good->size, QSize(1440, 900));
  EXPECT_EQ(good->open.size(), 1);
  for (const QStringList& bad : {QStringList{"voxlab", "--fly"}, QStringList{"voxlab", "--size", "big"}, QStringList{"voxlab", "--theme", "pink"}, QStringList{"voxlab", "--page", "zzz"},
                                QStringList{"voxlab", "--page", "compare/volume"}}) {
    const auto options = parseOptions(bad);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().code, ExitCode::Usage);
    EXPECT_FALSE(options.error().message.empty());
  }
  for (const char* page : {"compare", "compare/volumes", "compare/sampling/equal-seeds", "kernels/roofline/modules"})
    EXPECT_TRUE(parseOptions({QStringLiteral("voxlab"), QStringLiteral("--page"), QString::fromLatin1(page)})) << page;
}
