// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/viewer_placeholder.h"
#include "widgets/pages/page_parts.h"
#include <QLabel>
#include <QVBoxLayout>

namespace voxlab {

ViewerPlaceholder::ViewerPlaceholder(QWidget* parent) : QWidget(parent), m_text(makeWrappedLabel({}, "caption", this)) {
  m_text->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(this);
  column->addWidget(m_text);
  tell();
}

void ViewerPlaceholder::openFile(const QString& path) {
  m_file = path;
  tell();
}

void ViewerPlaceholder::addSample(const QString& path, const QString&) {
  m_samples << path;
  tell();
}

void ViewerPlaceholder::tell() {
  m_text->setText(m_file.isEmpty() ? tr("Volumes need a display with OpenGL; there is none here. %n sample(s) of this run.", nullptr, static_cast<int>(m_samples.size()))
                                   : tr("%1\nVolumes need a display with OpenGL; there is none here.").arg(m_file));
}

} // namespace voxlab
