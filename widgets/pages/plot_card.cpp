// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/plot_card.h"
#include "widgets/pages/page_parts.h"
#include <QLabel>
#include <QVBoxLayout>

namespace voxlab {

PlotCard::PlotCard(const QString& title, QWidget* body, QWidget* parent) : QFrame(parent), m_head(new QHBoxLayout) {
  setRole(this, "card");
  setAccessibleName(title);
  m_title = makeLabel(title, "heading", this);
  m_figure = new ElidedLabel("caption", this);
  m_head->setSpacing(kSpace);
  m_head->addWidget(m_title);
  m_head->addWidget(m_figure, 1);
  m_figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->setSpacing(kSpaceSmall);
  column->addLayout(m_head);
  column->addWidget(body, 1);
}

void PlotCard::setTitle(const QString& title) {
  m_title->setText(title);
  setAccessibleName(title);
}

void PlotCard::setFigure(const QString& text) { m_figure->setText(text); }

void PlotCard::addControl(QWidget* control) { m_head->addWidget(control); }

QWidget* withWordsBelow(QWidget* plot, QLabel* words) {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(plot, 1);
  column->addWidget(words);
  return box;
}

} // namespace voxlab
