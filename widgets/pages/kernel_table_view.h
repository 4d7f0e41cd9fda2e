// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kernels: sorted by its headings, copied with Ctrl+C, columns chosen at the heading.
#pragma once
#include "widgets/models/kernel_table_model.h"
#include <QTreeView>

namespace voxlab {

class KernelTableView : public QTreeView {
  Q_OBJECT
public:
  explicit KernelTableView(KernelTableModel* model, QWidget* parent = nullptr);
  void showView(std::shared_ptr<const ProfileView> view); // keeps what is chosen and opened
  void choose(const QString& kernelName);                 // full name
  KernelTableModel* table() const { return m_model; }
  void copyRows(); // the chosen ones, or all

signals:
  void rowChosen(const QModelIndex& index); // by the user
  void rowOpened(const QModelIndex& index); // double click, Enter
  void onlyCategory(voxlab::KernelCategory category);
  void onlyModule(const QString& path);
  void onlyOperator(const QString& name);
  void onlyWithoutModule(); // what no module was recorded for
  void onlyWithoutOperator();

protected:
  void updateGeometries() override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void drawBranches(QPainter* painter, const QRect& area, const QModelIndex& index) const override;

private:
  void setUpColumns();
  void fitNames();
  int leastNameWidth() const;
  int wholeNameWidth() const; // of the longest of the first rows
  void columnsMenu(const QPoint& position);
  QList<int> shownColumns() const;

  KernelTableModel* m_model;
  bool m_isRestoring = false, m_isFitting = false;
  int m_fittedWidth = -1, m_fittedNames = -1;
};

} // namespace voxlab
