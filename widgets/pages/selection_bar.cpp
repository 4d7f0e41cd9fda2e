// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/selection_bar.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace voxlab {
namespace {
constexpr int kMostWidth = 200, kLeastWidth = 24; // of a chip's words, pixels
}

SelectionBar::SelectionBar(ProfileSelection* selection, QWidget* parent) : QWidget(parent), m_selection(selection) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  m_chips = new QHBoxLayout;
  m_chips->setSpacing(kSpaceSmall);
  m_back = makeToolButton(QStringLiteral("undo"), tr("Back to what was selected before (Alt+Left)"), this);
  m_back->setShortcut(Qt::ALT | Qt::Key_Left);
  QPushButton* clear = makeButton(tr("Show all"), "link", {}, this);
  clear->setToolTip(tr("Take the whole selection away"));
  m_clear = clear;
  row->addWidget(m_back);
  row->addLayout(m_chips);
  row->addWidget(clear);
  row->addStretch(1);
  connect(m_back, &QToolButton::clicked, m_selection, &ProfileSelection::goBack);
  connect(clear, &QPushButton::clicked, m_selection, qOverload<>(&ProfileSelection::clear));
  connect(m_selection, &ProfileSelection::changed, this, &SelectionBar::refresh);
  refresh();
}

void SelectionBar::refresh() {
  while (QLayoutItem* item = m_chips->takeAt(0)) {
    item->widget()->deleteLater(); // it may be the one that was clicked
    delete item;
  }
  m_shown.clear();
  for (const auto& chip : m_selection->chips()) {
    if (chip.part == ProfileSelection::Part::Words) // the search field shows them
      continue;
    QPushButton* button = makeButton({}, "chip", QStringLiteral("close"), this);
    button->setChecked(true);
    button->setLayoutDirection(Qt::RightToLeft); // the cross stands behind the words
    button->setIconSize({12, 12});
    button->setToolTip(tr("%1\nClick to take it away").arg(chip.text));
    connect(button, &QPushButton::clicked, m_selection, [this, part = chip.part] { m_selection->clear(part); });
    m_chips->addWidget(button);
    m_shown.push_back({button, chip.text});
  }
  m_back->setVisible(m_selection->canGoBack());
  m_clear->setVisible(m_chips->count() > 1);
  setVisible(m_selection->canGoBack() || m_chips->count() > 0);
  fitWords();
}

QSize SelectionBar::minimumSizeHint() const { return {160, QWidget::minimumSizeHint().height()}; }

void SelectionBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitWords();
}

// Every chip its words; where that is too much, all of them equally less.
void SelectionBar::fitWords() {
  if (m_shown.empty())
    return;
  const auto write = [this](int most) {
    int wanted = 0;
    for (const Shown& chip : m_shown) {
      chip.button->setText(chip.button->fontMetrics().elidedText(chip.text, Qt::ElideMiddle, most));
      wanted += chip.button->sizeHint().width() + kSpaceSmall;
    }
    return wanted;
  };
  int room = width();
  for (const QWidget* other : {static_cast<QWidget*>(m_back), m_clear})
    room -= other->isHidden() ? 0 : other->sizeHint().width() + kSpaceSmall;
  for (int most = kMostWidth; write(most) > room && most > kLeastWidth;)
    most -= 8;
}

} // namespace voxlab
