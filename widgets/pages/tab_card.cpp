// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/tab_card.h"
#include "widgets/pages/page_parts.h"
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace voxlab {

TabCard::TabCard(QWidget* parent) : QFrame(parent), m_bar(new QTabBar(this)), m_pages(new QStackedWidget(this)) {
  setRole(this, "card");
  m_bar->setDrawBase(false);
  m_bar->setExpanding(false);
  m_bar->setUsesScrollButtons(false); // the card is wide enough for all of its tabs
  m_bar->setElideMode(Qt::ElideNone);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 0, 12, 0);
  row->addWidget(m_bar);
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(makeLine(this));
  column->addWidget(m_pages, 1);
  connect(m_bar, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
}

void TabCard::addTab(const QString& name, const QString& title, QWidget* page) {
  m_pages->addWidget(page);
  m_bar->setTabData(m_bar->addTab(title), name);
}

int TabCard::find(const QString& name) const {
  for (int tab = 0; tab < m_bar->count(); ++tab)
    if (m_bar->tabData(tab).toString() == name)
      return tab;
  return -1;
}

void TabCard::setTitle(const QString& name, const QString& title) {
  if (const int tab = find(name); tab >= 0)
    m_bar->setTabText(tab, title);
}

bool TabCard::showTab(const QString& name) {
  const int tab = find(name);
  if (tab >= 0)
    m_bar->setCurrentIndex(tab);
  return tab >= 0;
}

QString TabCard::shown() const { return m_bar->tabData(m_bar->currentIndex()).toString(); }

void TabCard::takeTabs(TabCard& from, const QStringList& names) {
  for (const QString& name : names) {
    const int tab = from.find(name);
    if (tab < 0)
      continue;
    QWidget* page = from.m_pages->widget(tab);
    const QString title = from.m_bar->tabText(tab);
    from.m_pages->removeWidget(page);
    from.m_bar->removeTab(tab);
    addTab(name, title, page);
  }
  from.m_pages->setCurrentIndex(from.m_bar->currentIndex());
}

} // namespace voxlab
