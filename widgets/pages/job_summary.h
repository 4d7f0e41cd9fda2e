// SPDX-License-Identifier: GPL-3.0-or-later
// The right-hand side of the launch page: what will happen, what it costs, what is in the way, and the buttons.
#pragma once
#include "widgets/models/job_estimate.h"
#include <QFrame>
#include <QHash>

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace voxlab {

class JobSummary : public QFrame {
  Q_OBJECT
public:
  explicit JobSummary(QWidget* parent = nullptr);

  void showJob(const QString& words, const JobEstimate& estimate, const QString& commandLine);
  // Empty: the job can start. `blocker` is a reason that is not a field's: no worker, say.
  void showProblems(const std::vector<SpecProblem>& problems, const Catalog& catalog, const QString& blocker);
  QPushButton* startButton() const { return m_start; }
  QPushButton* queueButton() const { return m_queue; }

signals:
  void startClicked();
  void queueClicked();
  void problemClicked(const QString& key);

private:
  QLabel* addFact(const char* key, const QString& title, const QString& explanation);
  void setFact(const char* key, const QString& value);
  void showFact(const char* key, bool shown);
  void buildFacts(QVBoxLayout* column);
  void buildCommand(QVBoxLayout* column);
  void buildButtons(QVBoxLayout* column);
  void showMemory(const JobEstimate& estimate);

  QLabel* m_words;
  QGridLayout* m_facts;
  QHash<QByteArray, QLabel*> m_names, m_values;
  QProgressBar* m_memoryBar;
  QLabel* m_advice;
  QPlainTextEdit* m_command;
  QVBoxLayout* m_problemList;
  QWidget* m_problemBox;
  QLabel* m_problemTitle;
  QPushButton* m_start;
  QPushButton* m_queue;
  QLabel* m_reason;
};

} // namespace voxlab
