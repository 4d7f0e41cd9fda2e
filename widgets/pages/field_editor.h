// SPDX-License-Identifier: GPL-3.0-or-later
// One parameter's value on the screen. What cannot be read as the parameter's type is handed on as text, so that the
// specification's own check says what is wrong with it.
#pragma once
#include "core/protocol/catalog.h"
#include <QList>
#include <QWidget>

namespace voxlab {

// A ready-made value: "checkpoint of step 1 000, colin27 64³".
struct Suggestion {
  QString title, value;
};

class FieldEditor : public QWidget {
  Q_OBJECT
public:
  using QWidget::QWidget;
  virtual Json value() const = 0;
  virtual void setValue(const Json& value) = 0;
  virtual QWidget* focusTarget() = 0;                          // takes the focus, carries the accessible name
  virtual void setSuggestions(const QList<Suggestion>&) {}     // for fields that can offer some
  virtual bool wantsWholeWidth() const { return false; }       // cards and lists do
  void setProblem(bool wrong);                                 // a red frame

signals:
  void edited();
};

// The editor that fits the parameter's type; never null.
FieldEditor* makeFieldEditor(const Parameter& parameter, QWidget* parent = nullptr);

// Text as typed by people to JSON and back, by the parameter's type; exposed for tests.
Json valueFromText(ParameterType type, const QString& text);
QString textFromValue(ParameterType type, const Json& value);

} // namespace voxlab
