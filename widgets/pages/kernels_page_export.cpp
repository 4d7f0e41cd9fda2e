// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels page writes: each file beside the window, as all of them grow with the trace.
#include "core/analysis/profile_report.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

namespace voxlab {
namespace {
constexpr int kSoon_ms = 400; // what is written by then needs no word
constexpr std::size_t kMostCopied = 200'000; // rows that other programs' clipboards may be asked to take

QString problemOf(const Status& written) { return written ? QString() : text(written.error().message); }
} // namespace

QWidget* KernelsPage::buildWriting() {
  m_writing = new QWidget;
  m_writing->setObjectName(QStringLiteral("writing"));
  m_writingWhat = new ElidedLabel(nullptr, m_writing);
  m_written = new QProgressBar(m_writing);
  m_written->setTextVisible(false);
  m_written->setFixedHeight(6);
  QPushButton* cancel = makeButton(tr("Cancel"), "chip", {}, m_writing);
  connect(cancel, &QPushButton::clicked, this, &KernelsPage::cancelWriting);
  auto* row = new QHBoxLayout(m_writing);
  row->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpace);
  row->setSpacing(kSpace);
  row->addWidget(m_writingWhat, 1);
  row->addWidget(m_written, 1);
  row->addWidget(cancel);
  m_writing->hide();
  return m_writing;
}

void KernelsPage::buildExportMenu(QPushButton* button) {
  auto* menu = new QMenu(button);
  menu->addAction(tr("Copy table"), this, [this] { m_table->copyRows(); });
  menu->addAction(tr("Table…"), this, [this] { saveAs(tr("Save table"), QStringLiteral("kernels.csv"), tr("Tables (*.csv *.json)"), [this](const QString& file) { exportTable(file); }); });
  menu->addAction(tr("Report…"), this, [this] { saveAs(tr("Save report"), QStringLiteral("profile.html"), tr("Reports (*.html *.json *.csv *.txt)"), [this](const QString& file) { exportReport(file); }); });
  menu->addSeparator();
  const std::pair<QString, std::function<PlotWidget*()>> plots[] = {{tr("Picture of the categories…"), [this] { return m_bar; }},
                                                                    {tr("Picture of the time line…"), [this] { return m_timeline; }},
                                                                    {tr("Picture of the modules…"), [this] { return m_icicle; }},
                                                                    {tr("Picture of the steps…"), [this] { return m_steps; }},
                                                                    {tr("Picture of the roofline…"), [this] { return m_roofline; }}};
  for (const auto& [title, find] : plots)
    menu->addAction(title, this, [this, find] { savePlot(find()); });
  button->setMenu(menu);
}

void KernelsPage::saveAs(const QString& title, const QString& name, const QString& filter, const std::function<void(const QString&)>& save) {
  const QString file = QFileDialog::getSaveFileName(this, title, name, filter);
  if (!file.isEmpty())
    save(file);
}

void KernelsPage::savePlot(PlotWidget* plot) {
  saveAs(tr("Save picture"), plot->exportName() + QStringLiteral(".svg"), tr("Pictures and numbers (*.svg *.pdf *.png *.csv *.json)"), [this, plot](const QString& file) {
    if (const auto saved = plot->save(file); !saved)
      emit reportWritten(file, text(saved.error().message));
  });
}

bool KernelsPage::mayWrite(const QString& file) {
  if (!isWriting())
    return true;
  emit reportWritten(file, file.isEmpty() ? tr("Nothing was copied: a file is still being written. Wait for it, or cancel it.") : tr("%1 was not written: another file still is. Wait for it, or cancel it.").arg(file));
  return false;
}

void KernelsPage::write(const QString& file, WriteFile work) {
  m_writingWhat->setText(tr("Writing %1…").arg(QFileInfo(file).fileName()));
  m_written->setRange(0, 0); // busy, until something is told
  m_writer.start([this, file, work = std::move(work)](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    int lastPercent = -1;
    const QString problem = work(stop, [&](double share) {
      const int percent = static_cast<int>(share * 100);
      if (percent != std::exchange(lastPercent, percent))
        tell([this, percent] {
          m_written->setRange(0, 100);
          m_written->setValue(percent);
        });
    });
    return [this, file, problem] {
      m_writing->hide();
      emit reportWritten(file, problem);
    };
  });
  QTimer::singleShot(kSoon_ms, m_writing, [this] { m_writing->setVisible(isWriting()); });
}

void KernelsPage::cancelWriting() {
  m_writer.cancel();
  m_writing->hide();
}

void KernelsPage::exportTable(const QString& file) {
  if (!mayWrite(file))
    return;
  write(file, [file, rows = m_tableModel->rows()](std::stop_token, const auto&) {
    const std::filesystem::path path(file.toStdString());
    if (file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
      return problemOf(writeJsonFile(path, rows.json()));
    return problemOf(writeFileAtomically(path, rows.csv().toStdString()));
  });
}

void KernelsPage::exportReport(const QString& file) {
  if (!m_profile || !mayWrite(file))
    return;
  const QString suffix = QFileInfo(file).suffix().toLower();
  const ReportFormat format = reportFormatFrom(suffix == QLatin1String("txt") ? "text" : suffix.toStdString());
  write(file, [profile = m_profile, file, format, title = m_title.toStdString()](std::stop_token stop, const auto&) {
    ProfileReportOptions options;
    options.title = title;
    options.asked = profile->source.asked;
    options.unprofiled_ms = profile->source.unprofiled_ms;
    options.counters = profile->hasCounters() ? &profile->counters : nullptr;
    const ReportDocument document = profile->isOfCounters ? counterReport(profile->counters, options.title) : profileReport(profile->trace, profile->index, options);
    const std::string report = writeReport(document, format == ReportFormat::Unknown ? ReportFormat::HtmlPage : format);
    return stop.stop_requested() ? QString() : problemOf(writeFileAtomically(file.toStdString(), report));
  });
}

void KernelsPage::writeNumbers(const QString& file, TableSource numbers) {
  if (!mayWrite(file))
    return;
  if (!file.isEmpty()) {
    write(file, [file, numbers = std::move(numbers)](std::stop_token stop, const auto& progress) { return problemOf(writeTable(numbers, file, progress, stop)); });
    return;
  }
  m_writer.start([this, numbers = std::move(numbers)](std::stop_token stop, const NewestWork::Tell&) -> NewestWork::Report {
    const auto csv = csvFrom(numbers, kMostCopied, stop);
    return [this, csv] {
      if (csv)
        QApplication::clipboard()->setText(*csv);
      else
        emit reportWritten({}, tr("Nothing was copied: these are more than %1 rows. Save them as .csv, or zoom in.").arg(text(formatCount(static_cast<std::int64_t>(kMostCopied)))));
    };
  });
}

} // namespace voxlab
