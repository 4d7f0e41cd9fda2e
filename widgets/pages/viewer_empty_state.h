// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows while nothing is open: how to open something, and what was open lately.
#pragma once
#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace voxlab {

class ViewerEmptyState : public QWidget {
  Q_OBJECT
public:
  explicit ViewerEmptyState(QWidget* parent = nullptr);
  void setRecentFiles(const QStringList& paths);

signals:
  void chooseRequested();
  void openRequested(const QString& path);

private:
  QWidget* m_recent;
  QVBoxLayout* m_recentLayout;
};

} // namespace voxlab
