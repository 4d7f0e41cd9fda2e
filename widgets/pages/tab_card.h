// SPDX-License-Identifier: GPL-3.0-or-later
// A card of tabs, each with a name: bar above, one page in sight. Where a window is narrow, one card can take another's tabs.
#pragma once
#include <QFrame>

class QStackedWidget;
class QTabBar;

namespace voxlab {

class TabCard : public QFrame {
  Q_OBJECT
public:
  explicit TabCard(QWidget* parent = nullptr);
  void addTab(const QString& name, const QString& title, QWidget* page);
  void setTitle(const QString& name, const QString& title);
  bool has(const QString& name) const { return find(name) >= 0; }
  bool showTab(const QString& name); // false: it is not here
  QString shown() const;             // its name; empty: there are none
  void takeTabs(TabCard& from, const QStringList& names); // behind its own; the other keeps the rest
  QTabBar* bar() const { return m_bar; }

private:
  int find(const QString& name) const; // -1: none
  QTabBar* m_bar;
  QStackedWidget* m_pages; // in the order of the tabs
};

} // namespace voxlab
