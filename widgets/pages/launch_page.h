// SPDX-License-Identifier: GPL-3.0-or-later
// New job: what, with which data and model, in which mode, how long; and at the right what that means. Knows no jobs: it
// asks for them with signals.
#pragma once
#include "core/protocol/job_spec.h"
#include "widgets/models/dataset_report.h"
#include "widgets/pages/field_editor.h"
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTimer;
class QVBoxLayout;

namespace voxlab {

class ChoiceCards;
class DatasetCard;
class JobSummary;
class SpecForm;

class LaunchPage : public QWidget {
  Q_OBJECT
public:
  explicit LaunchPage(QWidget* parent = nullptr);

  SpecForm* form() const { return m_form; }
  JobSummary* summary() const { return m_summary; }
  JobSpec spec() const;

public slots:
  void setCatalog(const voxlab::Catalog& catalog);
  void setCatalogProblem(const QString& message); // why there is no catalog, and what to do
  void setSpec(const voxlab::JobSpec& spec);      // "run again with changes", a file
  void selectKind(const QString& kind);
  void applyPreset(const QString& name); // empty: the defaults
  void setValue(const QString& key, const QString& value); // of the present kind's form
  void setSuggestions(const QString& key, const QList<voxlab::Suggestion>& suggestions);
  void setDatasetReport(const voxlab::DatasetReport& report);
  void setBlocker(const QString& reason); // why nothing can start now; empty when it can

signals:
  void launchRequested(const voxlab::JobSpec& spec);
  void queueRequested(const voxlab::JobSpec& spec);
  void experimentRequested(); // many jobs: modes × samplers × steps
  void datasetCheckRequested(const voxlab::JobSpec& spec);
  void datasetCheckCancelled();
  void catalogRequested(); // "try again"
  void workerSettingsRequested();

private:
  void buildHeader(QVBoxLayout* column);
  void buildProblemPage();
  void rebuildPresets();
  void rebuildForm();
  void placeDatasetCard();
  void placeCompareButton();
  void specChanged();
  void showProblems();
  void scheduleDatasetCheck();
  void loadFile();
  void saveFile();
  JobSpec completed() const;  // with the defaults filled in
  JobSpec comparison() const; // a benchmark of all modes with the same network and size

  Catalog m_catalog;
  std::string m_kind = "train";
  QString m_blocker, m_dataBlocker, m_preset, m_checkedData;
  std::optional<std::int64_t> m_volumes;
  bool m_changingMany = false;

  QStackedWidget* m_stack;
  QLabel* m_problemText;
  ChoiceCards* m_kinds;
  QWidget* m_presetBox;
  QList<QPushButton*> m_presetButtons;
  QLabel* m_presetHelp;
  QLineEdit* m_filter;
  SpecForm* m_form;
  QScrollArea* m_scroll;
  JobSummary* m_summary;
  DatasetCard* m_dataset;
  QTimer* m_datasetTimer;
};

} // namespace voxlab
