// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_empty_state.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace voxlab {

ViewerEmptyState::ViewerEmptyState(QWidget* parent) : QWidget(parent) {
  auto* icon = new QLabel(this);
  icon->setPixmap(themedIcon(QStringLiteral("volumes"), IconTint::Muted).pixmap(48, 48));
  icon->setAlignment(Qt::AlignCenter);
  QLabel* title = makeLabel(tr("Drop a volume here"), "title", this);
  title->setAlignment(Qt::AlignCenter);
  QLabel* help = makeWrappedLabel(tr("NIfTI, MGH/MGZ, NRRD, MetaImage, Analyze, or a folder with a DICOM series. Several files are laid over each other: "
                                     "drop an image and its labels together. Samples of a running job appear under Samples at the right."),
                                  "help", this);
  help->setAlignment(Qt::AlignCenter);
  help->setFixedWidth(320); // the window must fit a screen of 1024 points
  QPushButton* open = makeButton(tr("Open a volume…"), "primary", QStringLiteral("open"), this);
  connect(open, &QPushButton::clicked, this, &ViewerEmptyState::chooseRequested);
  m_recent = new QWidget(this);
  m_recentLayout = new QVBoxLayout(m_recent);
  m_recentLayout->setContentsMargins(0, kSpace, 0, 0);
  m_recentLayout->setSpacing(0);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(12);
  layout->addStretch(2);
  layout->addWidget(icon);
  layout->addWidget(title);
  layout->addLayout(makeCentredRow(help));
  layout->addWidget(open, 0, Qt::AlignHCenter);
  layout->addWidget(m_recent, 0, Qt::AlignHCenter);
  layout->addStretch(3);
}

void ViewerEmptyState::setRecentFiles(const QStringList& paths) {
  while (QLayoutItem* item = m_recentLayout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  m_recent->setVisible(!paths.isEmpty());
  if (paths.isEmpty())
    return;
  QLabel* heading = makeLabel(tr("Lately open"), "caption", m_recent);
  heading->setAlignment(Qt::AlignCenter);
  m_recentLayout->addWidget(heading);
  for (const QString& path : paths.mid(0, 5)) {
    QPushButton* link = makeButton(fontMetrics().elidedText(QFileInfo(path).fileName(), Qt::ElideMiddle, 380), "link", {}, m_recent);
    link->setToolTip(path);
    connect(link, &QPushButton::clicked, this, [this, path] { emit openRequested(path); });
    m_recentLayout->addWidget(link, 0, Qt::AlignHCenter);
  }
}

} // namespace voxlab
