// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/dataset_card.h"
#include "core/base/text.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/slice_picture.h"
#include "widgets/plots/theme_colours.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kPictureSize = 104, kFindingsHeight = 128, kIconSize = 18;

QIcon iconOf(FindingKind kind) {
  return kind == FindingKind::Error     ? themedIcon(QStringLiteral("error"), IconTint::Danger)
         : kind == FindingKind::Warning ? themedIcon(QStringLiteral("warning"), IconTint::Warning)
                                        : themedIcon(QStringLiteral("info"), IconTint::Muted);
}
} // namespace

DatasetCard::DatasetCard(QWidget* parent) : QFrame(parent) {
  setAccessibleName(tr("Data set"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  m_picture = makeLabel({}, nullptr, this);
  m_picture->setFixedSize(kPictureSize, kPictureSize);
  m_picture->setAlignment(Qt::AlignCenter);
  m_picture->setStyleSheet(QStringLiteral("background: black; border-radius: 6px;"));
  m_picture->setAccessibleName(tr("Middle slice of the first pair"));
  m_icon = makeLabel({}, nullptr, this);
  m_title = makeLabel({}, nullptr, this);
  m_detail = makeWrappedLabel({}, "help", this);
  m_busy = new QProgressBar(this);
  m_busy->setRange(0, 0);
  m_busy->setTextVisible(false);
  m_again = makeButton(tr("Check again"), "link", QStringLiteral("retry"), this);
  m_cancel = makeButton(tr("Cancel"), "link", QStringLiteral("close"), this);
  m_findings = new QTreeWidget(this);
  m_findings->setColumnCount(2);
  m_findings->setHeaderLabels({tr("Subject"), tr("Finding")});
  m_findings->setRootIsDecorated(false);
  m_findings->setFixedHeight(kFindingsHeight);
  m_findings->setAccessibleName(tr("Findings"));
  m_findings->header()->setStretchLastSection(true);

  auto* words = new QVBoxLayout;
  words->setSpacing(kSpaceSmall);
  auto* head = new QHBoxLayout;
  head->setSpacing(kSpace);
  head->addWidget(m_icon);
  head->addWidget(m_title, 1);
  head->addWidget(m_again);
  head->addWidget(m_cancel);
  words->addLayout(head);
  words->addWidget(m_detail);
  words->addWidget(m_busy);
  words->addStretch();
  auto* top = new QHBoxLayout;
  top->setSpacing(kSpaceLarge);
  top->addWidget(m_picture);
  top->addLayout(words, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpace);
  column->addLayout(top);
  column->addWidget(m_findings);
  connect(m_again, &QPushButton::clicked, this, &DatasetCard::checkAgainClicked);
  connect(m_cancel, &QPushButton::clicked, this, &DatasetCard::cancelClicked);
  showHint();
}

void DatasetCard::showState(const QString& icon, const QString& title, const QString& detail) {
  const ThemeColours& theme = themeColours(palette());
  const QColor colour = icon == QLatin1String("error") ? theme.danger : icon == QLatin1String("warning") ? theme.warning : icon == QLatin1String("check") ? theme.accent : theme.muted;
  m_icon->setPixmap(tintedPixmap(icon, colour, kIconSize, devicePixelRatioF()));
  m_title->setText(title);
  m_detail->setText(detail);
  m_detail->setVisible(!detail.isEmpty());
  m_busy->setVisible(m_checking);
  m_cancel->setVisible(m_checking);
}

void DatasetCard::showHint() {
  m_checking = false;
  ++m_pictureRequest;
  m_picture->hide();
  m_again->hide();
  m_findings->hide();
  showState(QStringLiteral("info"), tr("No data chosen yet"),
            tr("Choose a folder of images and one of masks. Every file is then looked at: pairs, grids, labels, ranges and damage."));
}

void DatasetCard::showChecking() {
  m_checking = true;
  m_again->hide();
  m_findings->hide();
  showState(QStringLiteral("database"), tr("Looking at every file…"), {});
}

void DatasetCard::showReport(const DatasetReport& report) {
  m_checking = false;
  m_again->show();
  if (!report.failure.isEmpty()) {
    m_picture->hide();
    m_findings->hide();
    showState(QStringLiteral("error"), tr("The data set could not be checked"), report.failure);
    return;
  }
  const int errors = report.count(FindingKind::Error), warnings = report.count(FindingKind::Warning), notes = report.count(FindingKind::Note);
  QStringList detail;
  if (!report.modalities.isEmpty())
    detail << report.modalities.join(QStringLiteral(", "));
  if (errors > 0)
    detail << tr("%n error(s)", nullptr, errors);
  if (warnings > 0)
    detail << tr("%n warning(s)", nullptr, warnings);
  if (notes > 0)
    detail << tr("%n note(s)", nullptr, notes);
  if (errors + warnings == 0)
    detail << tr("every file read, nothing amiss");
  const QString icon = errors > 0 || report.pairs == 0 ? QStringLiteral("error") : warnings > 0 ? QStringLiteral("warning") : QStringLiteral("check");
  showState(icon, report.pairs == 0 ? tr("No pairs of image and mask") : tr("%n pair(s) of image and mask", nullptr, static_cast<int>(report.pairs)),
            detail.join(QStringLiteral(" · ")));
  showFindings(report);
  showPicture(report.firstImage, report.firstMask);
}

void DatasetCard::showFindings(const DatasetReport& report) {
  m_findings->clear();
  m_findings->setVisible(!report.findings.empty());
  for (const DatasetFinding& finding : report.findings) {
    auto* item = new QTreeWidgetItem(m_findings, {finding.subject, finding.message});
    item->setIcon(0, iconOf(finding.kind));
    item->setToolTip(1, finding.message);
  }
  m_findings->resizeColumnToContents(0);
}

void DatasetCard::showPicture(const QString& image, const QString& mask) {
  const int request = ++m_pictureRequest;
  m_picture->setVisible(!image.isEmpty());
  m_picture->clear();
  if (image.isEmpty())
    return;
  whenDone(QtConcurrent::run([image, mask] { return readSlicePictures(image.toStdString(), mask.toStdString()); }), this, [this, request](const Result<SlicePictures>& pictures) {
        if (request != m_pictureRequest || !pictures)
          return;
        const qreal ratio = devicePixelRatioF();
        QPixmap pixmap = QPixmap::fromImage(pictures->planes[0].scaled(QSize(kPictureSize, kPictureSize) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
        pixmap.setDevicePixelRatio(ratio);
        m_picture->setPixmap(pixmap);
      });
}

} // namespace voxlab
