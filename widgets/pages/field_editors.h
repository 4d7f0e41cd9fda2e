// SPDX-License-Identifier: GPL-3.0-or-later
// The editors of makeFieldEditor().
#pragma once
#include "widgets/pages/choice_cards.h"
#include "widgets/pages/field_editor.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace voxlab {

// Text and numbers, with the unit behind.
class TextEditor : public FieldEditor {
  Q_OBJECT
public:
  explicit TextEditor(const Parameter& parameter, QWidget* parent = nullptr);
  Json value() const override;
  void setValue(const Json& value) override;
  QWidget* focusTarget() override;

private:
  ParameterType m_type;
  QLineEdit* m_edit;
};

class SwitchEditor : public FieldEditor {
  Q_OBJECT
public:
  explicit SwitchEditor(QWidget* parent = nullptr);
  Json value() const override;
  void setValue(const Json& value) override;
  QWidget* focusTarget() override;

private:
  QCheckBox* m_box;
};

// A list to drop down, with the chosen one's explanation below.
class ComboEditor : public FieldEditor {
  Q_OBJECT
public:
  explicit ComboEditor(const Parameter& parameter, QWidget* parent = nullptr);
  Json value() const override;
  void setValue(const Json& value) override;
  QWidget* focusTarget() override;

private:
  void explain();
  std::vector<Choice> m_choices;
  QComboBox* m_box;
  QLabel* m_explanation;
};

class CardsEditor : public FieldEditor {
  Q_OBJECT
public:
  CardsEditor(const Parameter& parameter, CardSelection selection, QWidget* parent = nullptr);
  Json value() const override;
  void setValue(const Json& value) override;
  QWidget* focusTarget() override;
  bool wantsWholeWidth() const override { return true; }

private:
  CardSelection m_selection;
  ChoiceCards* m_cards;
};

enum class PathKind : int { FileOrFolder, File, Folder };

// A path to type, drop, browse for, or take from the suggestions.
class PathEditor : public FieldEditor {
  Q_OBJECT
public:
  explicit PathEditor(PathKind kind, QWidget* parent = nullptr);
  Json value() const override;
  void setValue(const Json& value) override;
  QWidget* focusTarget() override;
  void setSuggestions(const QList<Suggestion>& suggestions) override;

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void browseFile();
  void browseFolder();
  void rebuildMenu();
  void choose(const QString& path);

  PathKind m_kind;
  QLineEdit* m_edit;
  QToolButton* m_browse;
  QList<Suggestion> m_suggestions;
};

} // namespace voxlab
