// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment to be made: modes × samplers × steps × devices, what is measured of them, and how many jobs that is.
#pragma once
#include "core/protocol/experiment_plan.h"
#include "widgets/pages/field_editor.h"
#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace voxlab {

class ChoiceCards;
class PathEditor;

class ExperimentDialog : public QDialog {
  Q_OBJECT
public:
  explicit ExperimentDialog(const Catalog& catalog, QWidget* parent = nullptr);
  void setCheckpoints(const QList<Suggestion>& suggestions); // the first one is taken, if none is there yet
  void setData(const QString& masks, const QString& real);

  QString title() const;
  ExperimentPlan plan() const;
  QString problem() const { return m_problem; } // why it cannot begin; empty when it can
  QString words() const;                        // what will be made

  ChoiceCards* modes() const { return m_modes; }
  ChoiceCards* devices() const { return m_devices; }
  QPushButton* queueButton() const { return m_queue; }
  void setSteps(const QString& sampler, const QString& steps); // "20, 50"; empty: not this sampler

private:
  struct Sampler {
    std::string name;
    QLineEdit* steps;
  };
  QWidget* buildModes();
  QWidget* buildSpeed();
  QWidget* buildVolumes();
  QWidget* buildFoot();
  void check();

  const Catalog m_catalog;
  QLineEdit* m_title;
  ChoiceCards *m_modes, *m_devices;
  QCheckBox *m_speed, *m_profile, *m_draw, *m_quality;
  QSpinBox *m_size, *m_benchSteps, *m_seed;
  PathEditor *m_checkpoint, *m_masks, *m_real;
  std::vector<Sampler> m_samplers;
  QLabel* m_words;
  QPushButton* m_queue;
  QString m_problem;
};

} // namespace voxlab
