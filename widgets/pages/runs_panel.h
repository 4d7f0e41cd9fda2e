// SPDX-License-Identifier: GPL-3.0-or-later
// All runs in a list that filters by typing; below it the jobs that wait for their turn.
#pragma once
#include "widgets/models/run_table_model.h"
#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;
class QLineEdit;
class QListView;
class QListWidget;
class QStackedWidget;

namespace voxlab {

struct QueueRow {
  QString id, title;
  QString state; // in words, when it needs saying: "failed: …"
};

class RunsPanel : public QFrame {
  Q_OBJECT
public:
  explicit RunsPanel(RunTableModel* model, QWidget* parent = nullptr);

  QStringList selectedIds() const;
  void select(const QString& id);
  void setQueue(const QList<QueueRow>& rows);
  void setRunsKnown(bool known); // before the first scan nothing is claimed about an empty folder
  QListView* list() const { return m_list; }
  QListWidget* queueList() const { return m_queue; }

signals:
  void selectionChanged(const QStringList& ids);
  void demoClicked();
  void examplesClicked();
  void newJobClicked();
  // Actions on runs: "open-folder", "copy-path", "again", "resume", "compare" and "compare-samples" (of several), "remove".
  void actionChosen(const QString& action, const QStringList& ids);
  void queueOrderChanged(const QStringList& ids);
  void queueActionChosen(const QString& action, const QString& id); // "remove", "retry", "start"

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  QWidget* buildEmptyState();
  QWidget* buildQueue();
  QWidget* buildSeveral(); // what can be done with several runs
  void showSeveral();
  void showRightPage();
  void showMenu(const QPoint& position);
  void showQueueMenu(const QPoint& position);
  void reselect();
  QStringList queueOrder() const;

  RunTableModel* m_model;
  RunFilter* m_filtered;
  QLineEdit* m_filter;
  QListView* m_list;
  QStackedWidget* m_stack;
  QLabel* m_noMatch;
  QWidget *m_queueBox, *m_several;
  QPushButton* m_sameSeed;
  QLabel* m_severalText;
  QLabel* m_queueTitle;
  QListWidget* m_queue;
  QString m_wanted; // to be selected as soon as it is there
  bool m_known = false, m_fillingQueue = false;
};

} // namespace voxlab
