// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/field_editor.h"
#include "widgets/pages/choice_cards.h"
#include "widgets/pages/field_editors.h"
#include "widgets/pages/page_parts.h"
#include <QRegularExpression>

namespace voxlab {
namespace {
constexpr ParameterType kNumberLists[] = {ParameterType::IntegerList, ParameterType::NumberList};

QString withoutSpaces(QString text) {
  static const QRegularExpression spaces(QStringLiteral("\\s"));
  return text.remove(spaces); // thin and no-break spaces too
}

Json integerOrText(const QString& text) {
  const QString bare = withoutSpaces(text);
  bool ok = false;
  const qlonglong whole = bare.toLongLong(&ok);
  if (ok)
    return Json(static_cast<std::int64_t>(whole));
  const double number = bare.toDouble(&ok); // 1e5 is meant as 100000
  if (ok && number == static_cast<double>(static_cast<std::int64_t>(number)) && std::abs(number) < 9e15)
    return Json(static_cast<std::int64_t>(number));
  return Json(text.toStdString());
}

Json numberOrText(const QString& text) {
  QString bare = withoutSpaces(text);
  bool ok = false;
  double number = bare.toDouble(&ok);
  if (!ok && bare.count(QLatin1Char(',')) == 1) // decimal comma
    number = bare.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&ok);
  return ok ? Json(number) : Json(text.toStdString());
}

// "64, 64, 64", "64 64 64", "64x64x64" and "64×64×64"
Json listOrText(const QString& text, Json (*element)(const QString&)) {
  static const QRegularExpression separators(QStringLiteral("[,;x×\\s]+"));
  Json list = Json::array();
  for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
    Json value = element(part);
    if (!value.is_number())
      return Json(text.toStdString());
    list.push_back(std::move(value));
  }
  return list;
}

QString numberText(const Json& value) {
  if (value.is_number_integer())
    return QString::number(value.get<std::int64_t>());
  return QString::number(value.get<double>(), 'g', 12);
}
} // namespace

Json valueFromText(ParameterType type, const QString& text) {
  const QString trimmed = text.trimmed();
  switch (type) {
  case ParameterType::Integer: return trimmed.isEmpty() ? Json() : integerOrText(trimmed);
  case ParameterType::Number: return trimmed.isEmpty() ? Json() : numberOrText(trimmed);
  case ParameterType::IntegerList: return listOrText(trimmed, integerOrText);
  case ParameterType::NumberList: return listOrText(trimmed, numberOrText);
  default: return Json(trimmed.toStdString());
  }
}

QString textFromValue(ParameterType type, const Json& value) {
  if (value.is_string())
    return QString::fromStdString(value.get<std::string>());
  if (value.is_number())
    return numberText(value);
  if (value.is_array() && std::find(std::begin(kNumberLists), std::end(kNumberLists), type) != std::end(kNumberLists)) {
    QStringList parts;
    for (const Json& element : value)
      parts << (element.is_number() ? numberText(element) : QString::fromStdString(compactJson(element)));
    return parts.join(QStringLiteral(", "));
  }
  return value.is_null() ? QString() : QString::fromStdString(compactJson(value));
}

void FieldEditor::setProblem(bool wrong) { setStyleProperty(focusTarget(), "problem", wrong); }

FieldEditor* makeFieldEditor(const Parameter& parameter, QWidget* parent) {
  switch (parameter.type) {
  case ParameterType::Boolean: return new SwitchEditor(parent);
  case ParameterType::Choice:
    if (parameter.key == "mode") // the choice that a job is about: shown with what each does
      return new CardsEditor(parameter, CardSelection::One, parent);
    return new ComboEditor(parameter, parent);
  case ParameterType::ChoiceList: return new CardsEditor(parameter, CardSelection::Several, parent);
  case ParameterType::File: return new PathEditor(PathKind::FileOrFolder, parent);
  case ParameterType::Folder: return new PathEditor(PathKind::Folder, parent);
  default: return new TextEditor(parameter, parent);
  }
}

} // namespace voxlab
