// SPDX-License-Identifier: GPL-3.0-or-later
// The volumes that a run has made so far. New ones appear at the top and never take the view. Those whose files are not there, as in
// runs that were shipped with few of their volumes, stand in grey and cannot be chosen; whether they were left out or deleted is said.
#pragma once
#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace voxlab {

struct ViewerSample {
  QString path;  // absolute
  QString title; // "Step 1 000 · seed 3"
  QString group = {}; // "step 1 000"; samples of equal groups belong together
  QStringList others = {}; // other runs' samples from the same noise, to be compared with it; may be empty
  bool isLeftOut = false; // when the run was handed on, by its record
  QStringList paths() const { return QStringList{path} + others; }
  bool isHere() const; // whether there are files to be read
};

// "Left out of the shipped run: 2 of 3 volumes." and "Missing: 1 of 3 volumes, …", whichever are true; empty when all are here.
QString absentVolumesText(int leftOut, int missing, int all);

class ViewerSamplesPanel : public QWidget {
  Q_OBJECT
public:
  explicit ViewerSamplesPanel(QWidget* parent = nullptr);
  void setSamples(const QString& run, const QList<ViewerSample>& samples);
  void addSample(const ViewerSample& sample);
  QString run() const;
  int count() const; // of all, also of those that are not here
  QList<ViewerSample> samples() const; // those that are here, oldest first
  int leftOutCount() const { return m_leftOut; } // of those that are not here: by the run's record
  int missingCount() const { return m_missing; } // and the others
  QListWidget* list() const { return m_list; }
  bool compareChosen(); // false where less than two are chosen

signals:
  void openRequested(const QString& path);
  void addRequested(const QString& path); // on top, for comparing
  void compareRequested(const QStringList& paths);
  void sheetRequested();                  // all of them on one sheet
  void unseenChanged(int count);
  void samplesChanged();

protected:
  void showEvent(QShowEvent* event) override;

private:
  void insert(const ViewerSample& sample, bool isNew);
  void dress(QListWidgetItem* item);
  void lookAgain(); // files of a run that is being copied come late
  void showCounts();
  void open(QListWidgetItem* item);
  QStringList chosenPaths() const; // oldest first, of samples of several runs those of all of them

  QLabel *m_run, *m_leftOutWords, *m_empty;
  QListWidget* m_list;
  QPushButton *m_sheet, *m_compare;
  void count(const QListWidgetItem& item, int by);
  int m_unseen = 0, m_leftOut = 0, m_missing = 0;
};

} // namespace voxlab
