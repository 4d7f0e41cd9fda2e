// SPDX-License-Identifier: GPL-3.0-or-later
// What to work on first, with the advice in words.
#pragma once
#include "widgets/models/priority_model.h"
#include <QListView>

namespace voxlab {

class PriorityList : public QListView {
  Q_OBJECT
public:
  explicit PriorityList(PriorityModel* model, QWidget* parent = nullptr);
  void setEmptyText(const QString& sentence);

signals:
  void kernelChosen(const QString& fullName);
  void kernelOpened(const QString& fullName);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  void copyRow(const QModelIndex& row);
  PriorityModel* m_model;
  QString m_emptyText;
};

} // namespace voxlab
