// SPDX-License-Identifier: GPL-3.0-or-later
// The form that `voxlab-worker describe` draws: one card a group, one line a parameter, checked at every keystroke.
#pragma once
#include "core/protocol/job_spec.h"
#include "widgets/pages/field_editor.h"
#include <QHash>
#include <QWidget>

class QVBoxLayout;

namespace voxlab {

class FormGroup;
class FormRow;

class SpecForm : public QWidget {
  Q_OBJECT
public:
  explicit SpecForm(QWidget* parent = nullptr);

  // Builds the form of one kind of job; values of parameters that stay are kept.
  void build(const Catalog& catalog, const std::string& kind);
  const std::string& kind() const { return m_kind; }
  JobSpec spec() const;
  void setSpec(const JobSpec& spec); // absent values become the defaults
  void apply(const Json& values);    // dotted key → value; others stay
  const std::vector<SpecProblem>& problems() const { return m_problems; }

  FormRow* row(const QString& key) const;     // nullptr if the kind has no such parameter
  FormGroup* group(const QString& title) const;
  void setSuggestions(const QString& key, const QList<Suggestion>& suggestions);
  void reveal(const QString& key);            // unfolds, and gives it the focus
  void filter(const QString& word);

signals:
  void specChanged(); // after the check
  void revealed(QWidget* row);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void clear();
  void check();
  QStringList groupOrder() const;

  Catalog m_catalog;
  std::string m_kind;
  QVBoxLayout* m_column;
  QHash<QString, FormRow*> m_rows;
  QList<FormGroup*> m_groups;
  QHash<QString, QList<Suggestion>> m_suggestions;
  std::vector<SpecProblem> m_problems;
  Json m_kept = Json::object(); // values by key, across kinds
  int m_besideShown = -1;       // -1: not laid out yet
};

} // namespace voxlab
