// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_empty_state.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kColumn_px = 320; // at most; a small window has less
constexpr int kLink_px = 230;
constexpr qsizetype kMostSamples = 5, kMostRecent = 5;

void empty(QVBoxLayout* column) {
  while (QLayoutItem* item = column->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

std::pair<QWidget*, QVBoxLayout*> makeColumn(QWidget* parent) {
  auto* widget = new QWidget(parent);
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, kSpace, 0, 0);
  column->setSpacing(0);
  widget->hide();
  return {widget, column};
}

// Slices are called alike in every folder.
QString nameOf(const QFileInfo& file) {
  const bool isSlice = file.suffix().isEmpty() && file.isFile();
  return isSlice ? file.dir().dirName() + QLatin1Char('/') + file.fileName() : file.fileName();
}

QLabel* centred(QLabel* label) {
  label->setAlignment(Qt::AlignCenter);
  return label;
}
} // namespace

ViewerEmptyState::ViewerEmptyState(QWidget* parent) : QWidget(parent) {
  auto* content = new QWidget;
  auto* icon = new QLabel(content);
  icon->setPixmap(themedIcon(QStringLiteral("volumes"), IconTint::Muted).pixmap(48, 48));
  icon->setAlignment(Qt::AlignCenter);
  m_title = centred(makeLabel(tr("Drop a volume here"), "title", content));
  m_help = centred(makeWrappedLabel(tr("NIfTI, MGH/MGZ, NRRD, MetaImage, Analyze, or a folder with a DICOM series. Several files are laid over each other: "
                                       "drop an image and its labels together. Samples of a running job appear under Samples at the right."),
                                    "help", content));
  QPushButton* open = makeButton(tr("Open a volume…"), "primary", QStringLiteral("open"), content);
  connect(open, &QPushButton::clicked, this, &ViewerEmptyState::chooseRequested);
  QPushButton* folder = makeButton(tr("Open a DICOM folder…"), "link", {}, content);
  connect(folder, &QPushButton::clicked, this, &ViewerEmptyState::folderRequested);
  std::tie(m_samples, m_samplesLayout) = makeColumn(content);
  std::tie(m_recent, m_recentLayout) = makeColumn(content);
  auto* layout = new QVBoxLayout(content);
  layout->setSpacing(12);
  layout->addStretch(2);
  layout->addWidget(icon);
  layout->addLayout(makeCentredRow(m_samples));
  layout->addWidget(m_title);
  layout->addLayout(makeCentredRow(m_help));
  layout->addWidget(open, 0, Qt::AlignHCenter);
  layout->addWidget(folder, 0, Qt::AlignHCenter);
  layout->addWidget(m_recent, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScrollArea(content, this)); // what stands here must not make the window taller
}

void ViewerEmptyState::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  for (QWidget* column : {static_cast<QWidget*>(m_help), m_samples})
    column->setFixedWidth(std::min(kColumn_px, width() - 2 * kSpaceLarge));
  m_title->setMaximumWidth(width());
}

void ViewerEmptyState::addLink(QVBoxLayout* column, const QString& text, const QString& toolTip, const std::function<void()>& open) {
  QPushButton* link = makeButton(fontMetrics().elidedText(text, Qt::ElideMiddle, kLink_px), "link", {}, column->parentWidget());
  link->setToolTip(toolTip);
  connect(link, &QPushButton::clicked, this, open);
  column->addWidget(link, 0, Qt::AlignHCenter);
}

void ViewerEmptyState::setSamples(const QString& run, const QList<ViewerSample>& samples, int leftOut, int missing) {
  empty(m_samplesLayout);
  m_samples->setVisible(!samples.isEmpty() || leftOut + missing > 0);
  m_title->setText(samples.isEmpty() ? tr("Drop a volume here") : tr("Or drop a volume here"));
  m_help->setVisible(samples.isEmpty());
  if (samples.isEmpty() && leftOut + missing == 0)
    return;
  const auto say = [this](const QString& words, const char* role) { m_samplesLayout->addWidget(centred(makeWrappedLabel(words, role, m_samples))); };
  say(tr("Volumes of %1").arg(run), "heading");
  for (auto sample = samples.rbegin(); sample != samples.rend() && sample - samples.rbegin() < kMostSamples; ++sample)
    addLink(m_samplesLayout, sample->title, sample->path, [this, one = *sample] {
      if (one.others.isEmpty())
        emit openRequested(one.path);
      else
        emit compareRequested(one.paths());
    });
  if (samples.size() > kMostSamples)
    addLink(m_samplesLayout, tr("All %1 of them").arg(samples.size()), tr("The list at the right"), [this] { emit samplesRequested(); });
  if (const QString words = absentVolumesText(leftOut, missing, static_cast<int>(samples.size()) + leftOut + missing); !words.isEmpty())
    say(words, "help");
}

void ViewerEmptyState::setRecentFiles(const QStringList& paths) {
  empty(m_recentLayout);
  m_recent->setVisible(!paths.isEmpty());
  if (paths.isEmpty())
    return;
  m_recentLayout->addWidget(centred(makeLabel(tr("Lately open"), "caption", m_recent)));
  for (const QString& path : paths.mid(0, kMostRecent))
    addLink(m_recentLayout, nameOf(QFileInfo(path)), path, [this, path] { emit openRequested(path); });
}

} // namespace voxlab
