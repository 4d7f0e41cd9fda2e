// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/parameter_value.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace voxlab {
namespace {
std::optional<double> numberFrom(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool isInteger(const Json& value) {
  return value.is_number_integer() || (value.is_number_float() && jsonGet<std::int64_t>(Json{{"v", value}}, "v").has_value());
}

std::optional<bool> booleanFrom(const std::string& text) {
  static const std::map<std::string, bool> kWords{{"true", true},   {"on", true},   {"yes", true}, {"1", true},
                                                  {"false", false}, {"off", false}, {"no", false}, {"0", false}};
  const auto it = kWords.find(text);
  return it == kWords.end() ? std::nullopt : std::optional(it->second);
}

// nullopt when the text is no such scalar.
std::optional<Json> scalarFrom(ParameterType type, const std::string& text) {
  switch (type) {
  case ParameterType::Boolean:
    if (const auto value = booleanFrom(text))
      return Json(*value);
    return std::nullopt;
  case ParameterType::Integer:
  case ParameterType::Number: {
    const auto value = numberFrom(text);
    if (!value)
      return std::nullopt;
    if (const auto whole = jsonGet<std::int64_t>(Json{{"v", *value}}, "v"))
      return Json(*whole);
    return type == ParameterType::Number ? std::optional(Json(*value)) : std::nullopt;
  }
  default:
    return Json(text);
  }
}

ParameterType elementType(ParameterType list) {
  if (list == ParameterType::IntegerList)
    return ParameterType::Integer;
  return list == ParameterType::NumberList ? ParameterType::Number : ParameterType::Choice;
}

std::string wants(ParameterType type) {
  switch (type) {
  case ParameterType::Boolean:
    return "true or false";
  case ParameterType::Integer:
    return "a whole number";
  case ParameterType::Number:
    return "a number";
  case ParameterType::IntegerList:
    return "whole numbers, separated by commas";
  case ParameterType::NumberList:
    return "numbers, separated by commas";
  case ParameterType::ChoiceList:
    return "names, separated by commas";
  default:
    return "a text";
  }
}

std::string listText(std::string text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

bool hasType(ParameterType type, const Json& value) {
  switch (type) {
  case ParameterType::Boolean:
    return value.is_boolean();
  case ParameterType::Integer:
    return isInteger(value);
  case ParameterType::Number:
    return value.is_number();
  case ParameterType::IntegerList:
  case ParameterType::NumberList:
  case ParameterType::ChoiceList:
    return value.is_array() &&
           std::all_of(value.begin(), value.end(), [&](const Json& item) { return hasType(elementType(type), item); });
  default:
    return value.is_string();
  }
}

// As people write it: 100 000 000, 0.125, 1e-12.
std::string numberText(double value) {
  const auto whole = jsonGet<std::int64_t>(Json{{"v", value}}, "v");
  return whole ? formatCount(*whole) : compactJson(Json(value));
}

std::string rangeText(const Parameter& p) {
  const std::string unit = p.unit.empty() ? "" : " " + p.unit;
  if (p.minimum && p.maximum)
    return "between " + numberText(*p.minimum) + " and " + numberText(*p.maximum) + unit;
  return p.minimum ? "at least " + numberText(*p.minimum) + unit : "at most " + numberText(*p.maximum) + unit;
}

std::string rangeProblem(const Parameter& p, const Json& number) {
  const double value = number.get<double>();
  if (std::isfinite(value) && (!p.minimum || value >= *p.minimum) && (!p.maximum || value <= *p.maximum))
    return {};
  return p.title + " has to be " + rangeText(p) + ", not " + numberText(value) + ".";
}

std::string choiceProblem(const Parameter& p, const std::string& value) {
  if (p.choices.empty())
    return {};
  std::string names;
  for (const Choice& choice : p.choices) {
    if (choice.value == value)
      return choice.unavailable.empty() ? "" : p.title + " \"" + value + "\" cannot be used here: " + choice.unavailable;
    names += (names.empty() ? "" : ", ") + choice.value;
  }
  return p.title + " has no choice \"" + value + "\"; there are " + names + ".";
}
} // namespace

Result<Json> valueFromText(const Parameter& parameter, const std::string& text) {
  const auto refuse = [&](const std::string& bad) {
    return fail(ExitCode::Usage, parameter.key + " wants " + wants(parameter.type) + ", not \"" + bad + "\".");
  };
  if (!isList(parameter.type)) {
    const bool isText =
        parameter.type == ParameterType::Text || parameter.type == ParameterType::File || parameter.type == ParameterType::Folder;
    const auto value = scalarFrom(parameter.type, isText ? text : trimmed(text));
    return value ? Result<Json>(*value) : refuse(text);
  }
  Json list = Json::array();
  const std::string inside = listText(text);
  if (inside.empty())
    return list;
  for (const std::string& item : split(inside, ',')) {
    const auto value = scalarFrom(elementType(parameter.type), trimmed(item));
    if (!value || trimmed(item).empty())
      return refuse(item);
    list.push_back(*value);
  }
  return list;
}

std::string valueToText(const Json& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (!value.is_array())
    return compactJson(value);
  std::string text;
  for (const Json& item : value)
    text += (text.empty() ? "" : ",") + valueToText(item);
  return text;
}

std::string problemWith(const Parameter& parameter, const Json& value) {
  if (!hasType(parameter.type, value))
    return parameter.title + " has to be " + wants(parameter.type) + ".";
  const Json items = isList(parameter.type) ? value : Json::array({value});
  for (const Json& item : items) {
    std::string problem;
    if (item.is_number())
      problem = rangeProblem(parameter, item);
    else if (parameter.type == ParameterType::Choice || parameter.type == ParameterType::ChoiceList)
      problem = choiceProblem(parameter, item.get<std::string>());
    if (!problem.empty())
      return problem;
  }
  return {};
}

} // namespace voxlab
