// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/demo.h"
#include "app/studio/english_plurals.h"
#include "app/studio/main_window.h"
#include "app/studio/report_job.h"
#include "app/studio/screenshot.h"
#include "app/studio/settings_for_now.h"
#include "app/studio/style.h"
#include "app/studio/system_theme.h"
#include "app/studio/tool_tips.h"
#include "core/base/large_blocks.h"
#include "rendering/qt/vtk_view.h"
#include <QApplication>
#include <QIcon>
#include <QSurfaceFormat>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

using namespace voxlab;

namespace {
ThemeKind themeFor(ThemeChoice choice, ThemeKind system) {
  return choice == ThemeChoice::Light ? ThemeKind::Light : choice == ThemeChoice::Dark ? ThemeKind::Dark : system;
}

bool isGiven(int argc, char** argv, std::initializer_list<std::string_view> words) {
  return std::any_of(argv + 1, argv + argc, [&](std::string_view given) { return std::find(words.begin(), words.end(), given) != words.end(); });
}

// Qt aborts where there is no display: asked before, so that a sentence can be said.
bool hasDisplay(int argc, char** argv) {
  return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM") ||
         isGiven(argc, argv, {"-platform", "--platform"});
}
} // namespace

int main(int argc, char** argv) {
  if (isGiven(argc, argv, {"-h", "--help", "--help-all", "-v", "--version"})) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  } else if (!hasDisplay(argc, argv)) {
    std::fprintf(stderr, "There is no display here. Log in to a desktop, use ssh -X, or draw without one: QT_QPA_PLATFORM=offscreen voxlab --screenshot FILE.png.\n");
    return static_cast<int>(ExitCode::NoDevice);
  }
  giveLargeBlocksBack();
  QSurfaceFormat::setDefaultFormat(VtkView::defaultFormat());
  QApplication::setOrganizationName(QStringLiteral("voxlab"));
  QApplication::setApplicationName(QStringLiteral("voxlab"));
  QApplication::setApplicationVersion(QStringLiteral(VOXLAB_VERSION));
  QApplication application(argc, argv);
  EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  const ToolTips toolTips(&application);
  const auto options = parseOptions(QApplication::arguments());
  if (!options) {
    std::fprintf(stderr, "%s\n", options.error().message.c_str());
    return static_cast<int>(options.error().code);
  }
  if (!options->text.isEmpty()) {
    std::fputs(qUtf8Printable(options->text), stdout);
    return 0;
  }
  if (!options->runs.isEmpty())
    qputenv("VOXLAB_RUNS", options->runs.toUtf8());

  std::optional<SettingsForNow> forNow;
  if (!options->screenshot.isEmpty() || !options->report.isEmpty())
    forNow.emplace();
  Settings settings;
  if (!options->report.isEmpty()) {
    const Status written = writeComparisonReport({options->report, options->open, settings.runsFolder()}, [](const QString& note) { std::fprintf(stderr, "%s\n", qUtf8Printable(note)); });
    if (!written)
      std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return static_cast<int>(written ? ExitCode::Finished : written.error().code);
  }
  SystemTheme system;
  const auto dress = [&] {
    const ThemeKind kind = options->theme == QLatin1String("light")  ? ThemeKind::Light
                           : options->theme == QLatin1String("dark") ? ThemeKind::Dark
                                                                     : themeFor(settings.theme(), system.kind());
    applyTheme(application, kind);
  };
  applyFont();
  dress();
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/voxlab.svg")));
  MainWindow window(settings);
  QObject::connect(&system, &SystemTheme::changed, &window, dress);
  QObject::connect(&window, &MainWindow::themeChosen, &window, dress);
  Demo demo(window, settings);
  QObject::connect(&window, &MainWindow::demoRequested, &demo, &Demo::start);
  if (options->size.isValid())
    window.resizeForNow(options->size);
  window.show();
  window.begin();
  window.openPaths(options->open, options->page);
  if (options->demo)
    demo.start();
  if (!options->screenshot.isEmpty())
    new Screenshot(window, options->screenshot, [&] { return window.isSettled() && (!options->demo || demo.isOver()); });
  const int code = QApplication::exec();
  const QString problem = options->demo ? demo.problem() : window.problem();
  if (!options->screenshot.isEmpty() && !problem.isEmpty()) {
    std::fprintf(stderr, "%s\n", qUtf8Printable(problem));
    return static_cast<int>(ExitCode::Data);
  }
  return code;
}
