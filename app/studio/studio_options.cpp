// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/studio_options.h"
#include <QCommandLineParser>
#include <QDir>
#include <QRegularExpression>

namespace voxlab {
namespace {
const QStringList kPages{QStringLiteral("monitor"), QStringLiteral("volumes"), QStringLiteral("kernels"),
                         QStringLiteral("compare"), QStringLiteral("new-job"), QStringLiteral("settings")};
// Of the compare page; ComparePage::bringToFront() takes them.
const QStringList kCompareParts{QStringLiteral("training"), QStringLiteral("sampling"), QStringLiteral("volumes"), QStringLiteral("charts"),
                                QStringLiteral("equal-seeds"), QStringLiteral("why"), QStringLiteral("in-use"), QStringLiteral("counters")};

QString tr(const char* text) { return QCoreApplication::translate("StudioOptions", text); }

Result<QSize> sizeFrom(const QString& text) {
  static const QRegularExpression form(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
  const auto match = form.match(text);
  if (!match.hasMatch())
    return fail(ExitCode::Usage, tr("--size wants WIDTHxHEIGHT, as in 1440x900, not “%1”.").arg(text).toStdString());
  return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}
} // namespace

Result<StudioOptions> parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(tr("Synthesise 3D MRI with diffusion models, and see where the GPU's time goes."));
  const auto help = parser.addHelpOption();
  const auto version = parser.addVersionOption();
  const QCommandLineOption demo(QStringLiteral("demo"), tr("Train a small network on real MRI and show the volume it draws."));
  const QCommandLineOption open(QStringLiteral("open"), tr("Open a volume, a trace, counters, a run folder or packed runs (.voxrun); may be given several times."), tr("FILE|RUN"));
  const QCommandLineOption page(QStringLiteral("page"), tr("Show this page: %1; kernels/roofline/modules or compare/sampling/counters with these parts of it in front.").arg(kPages.join(QStringLiteral(", "))), tr("NAME"));
  const QCommandLineOption screenshot(QStringLiteral("screenshot"), tr("Draw what was asked for, save it and leave."), tr("FILE.png"));
  const QCommandLineOption report(QStringLiteral("report"), tr("Write a comparison of the named runs, or of all runs, with pictures of their volumes, and leave."), tr("FILE.pdf"));
  const QCommandLineOption runs(QStringLiteral("runs"), tr("Folder of runs to use this time."), tr("DIR"));
  const QCommandLineOption theme(QStringLiteral("theme"), tr("light or dark, this time."), tr("NAME"));
  const QCommandLineOption size(QStringLiteral("size"), tr("Size of the window, this time."), tr("WIDTHxHEIGHT"));
  parser.addOptions({demo, open, page, screenshot, report, runs, theme, size});
  parser.addPositionalArgument(QStringLiteral("FILE|RUN"), tr("The same as --open."), QStringLiteral("[FILE|RUN…]"));
  if (!parser.parse(arguments))
    return fail(ExitCode::Usage, parser.errorText().toStdString());
  StudioOptions options;
  if (parser.isSet(help))
    options.text = parser.helpText();
  else if (parser.isSet(version))
    options.text = QStringLiteral("voxlab %1\n").arg(QCoreApplication::applicationVersion());
  options.demo = parser.isSet(demo);
  for (const QString& path : parser.values(open) + parser.positionalArguments())
    options.open << QDir::cleanPath(QDir::current().absoluteFilePath(path));
  options.page = parser.value(page);
  if (const QString place = options.page.section(QLatin1Char('/'), 0, 0); parser.isSet(page) && !kPages.contains(place))
    return fail(ExitCode::Usage, tr("--page wants one of %1, not “%2”.").arg(kPages.join(QStringLiteral(", ")), place).toStdString());
  if (const QStringList parts = options.page.split(QLatin1Char('/')); parts.first() == QLatin1String("compare"))
    for (const QString& part : parts.mid(1))
      if (!kCompareParts.contains(part))
        return fail(ExitCode::Usage, tr("The compare page has the parts %1, but not “%2”.").arg(kCompareParts.join(QStringLiteral(", ")), part).toStdString());
  options.screenshot = parser.value(screenshot);
  options.report = parser.value(report);
  options.runs = parser.value(runs).isEmpty() ? QString() : QDir::cleanPath(QDir::current().absoluteFilePath(parser.value(runs)));
  options.theme = parser.value(theme);
  if (!options.theme.isEmpty() && options.theme != QLatin1String("light") && options.theme != QLatin1String("dark"))
    return fail(ExitCode::Usage, tr("--theme wants light or dark, not “%1”.").arg(options.theme).toStdString());
  if (parser.isSet(size)) {
    const auto given = sizeFrom(parser.value(size));
    if (!given)
      return fail(given.error());
    options.size = *given;
  }
  return options;
}

} // namespace voxlab
