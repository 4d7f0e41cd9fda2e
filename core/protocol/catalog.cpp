// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/catalog.h"
#include "core/protocol/version.h"
#include <algorithm>
#include <array>

namespace voxlab {
namespace {
constexpr std::array<std::string_view, 11> kTypeNames{"unknown", "boolean", "integer",      "number",      "text",       "choice",
                                                      "file",    "folder",  "integer_list", "choice_list", "number_list"};

ParameterType typeNamed(std::string_view name) {
  const auto it = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  return it == kTypeNames.end() ? ParameterType::Unknown : static_cast<ParameterType>(it - kTypeNames.begin());
}

// Reads members of one object and remembers the first that has the wrong type.
class Members {
public:
  Members(const Json& object, std::string where) : m_object(object), m_where(std::move(where)) {
    if (!object.is_object())
      m_problem = m_where + " is not an object.";
  }
  template <class T> void read(const char* key, T& into) {
    if (!m_problem.empty() || !m_object.contains(key) || m_object[key].is_null())
      return;
    if (auto value = jsonGet<T>(m_object, key))
      into = std::move(*value);
    else
      m_problem = m_where + ": \"" + key + "\" has the wrong type.";
  }
  template <class T> void read(const char* key, std::optional<T>& into) {
    T value{};
    read(key, value);
    if (m_object.is_object() && m_object.contains(key) && !m_object[key].is_null())
      into = value;
  }
  void readObject(const char* key, Json& into) {
    if (!m_problem.empty() || !m_object.contains(key))
      return;
    if (m_object[key].is_object())
      into = m_object[key];
    else
      m_problem = m_where + ": \"" + key + "\" is not an object.";
  }
  template <class F> void each(const char* key, F use) {
    if (!m_problem.empty() || !m_object.contains(key))
      return;
    if (!m_object[key].is_array()) {
      m_problem = m_where + ": \"" + key + "\" is not a list.";
      return;
    }
    for (const Json& item : m_object[key])
      if (m_problem.empty())
        m_problem = use(item);
  }
  const std::string& problem() const { return m_problem; }

private:
  const Json& m_object;
  std::string m_where, m_problem;
};

Json toJson(const Choice& c) {
  Json json{{"value", c.value}, {"title", c.title}, {"explanation", c.explanation}};
  if (!c.unavailable.empty())
    json["unavailable"] = c.unavailable;
  if (!c.details.empty())
    json["details"] = c.details;
  return json;
}

Json toJson(const Parameter& p) {
  Json json{{"key", p.key},     {"title", p.title},       {"explanation", p.explanation},
            {"group", p.group}, {"type", nameOf(p.type)}, {"default", p.defaultValue}};
  if (p.minimum)
    json["minimum"] = *p.minimum;
  if (p.maximum)
    json["maximum"] = *p.maximum;
  if (!p.unit.empty())
    json["unit"] = p.unit;
  for (const Choice& c : p.choices)
    json["choices"].push_back(toJson(c));
  json["kinds"] = p.kinds;
  if (p.advanced)
    json["advanced"] = true;
  return json;
}

std::string readChoice(const Json& json, Choice& choice) {
  Members m(json, "A choice in the catalog");
  m.read("value", choice.value);
  m.read("title", choice.title);
  m.read("explanation", choice.explanation);
  m.read("unavailable", choice.unavailable);
  m.readObject("details", choice.details);
  return m.problem();
}

std::string readParameter(const Json& json, Parameter& p) {
  Members m(json, "A parameter in the catalog");
  std::string type;
  m.read("key", p.key);
  m.read("title", p.title);
  m.read("explanation", p.explanation);
  m.read("group", p.group);
  m.read("type", type);
  m.read("minimum", p.minimum);
  m.read("maximum", p.maximum);
  m.read("unit", p.unit);
  m.read("kinds", p.kinds);
  m.read("advanced", p.advanced);
  m.each("choices", [&](const Json& item) {
    Choice choice;
    std::string problem = readChoice(item, choice);
    p.choices.push_back(std::move(choice));
    return problem;
  });
  if (!m.problem().empty())
    return m.problem();
  p.type = typeNamed(type);
  if (json.contains("default"))
    p.defaultValue = json["default"];
  return p.key.empty() ? "A parameter in the catalog has no key." : std::string();
}

std::string readPreset(const Json& json, Preset& p) {
  Members m(json, "A preset in the catalog");
  m.read("name", p.name);
  m.read("title", p.title);
  m.read("explanation", p.explanation);
  m.read("kind", p.kind);
  m.readObject("values", p.values);
  return m.problem();
}
} // namespace

std::string_view nameOf(ParameterType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

bool isList(ParameterType type) {
  return type == ParameterType::IntegerList || type == ParameterType::NumberList || type == ParameterType::ChoiceList;
}

const Parameter* Catalog::find(std::string_view key) const {
  const auto it = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.key == key; });
  return it == parameters.end() ? nullptr : &*it;
}

std::vector<const Parameter*> Catalog::forKind(std::string_view kind) const {
  std::vector<const Parameter*> found;
  for (const Parameter& p : parameters)
    if (std::find(p.kinds.begin(), p.kinds.end(), kind) != p.kinds.end())
      found.push_back(&p);
  return found;
}

const Preset* Catalog::preset(std::string_view kind, std::string_view name) const {
  const auto it = std::find_if(presets.begin(), presets.end(), [&](const Preset& p) { return p.kind == kind && p.name == name; });
  return it == presets.end() ? nullptr : &*it;
}

Json toJson(const Catalog& catalog) {
  Json json{{"schema", schemaVersion()}, {"versions", catalog.versions}, {"parameters", Json::array()}, {"presets", Json::array()}};
  for (const Parameter& p : catalog.parameters)
    json["parameters"].push_back(toJson(p));
  for (const Preset& p : catalog.presets)
    json["presets"].push_back(
        {{"name", p.name}, {"title", p.title}, {"explanation", p.explanation}, {"kind", p.kind}, {"values", p.values}});
  return json;
}

Result<Catalog> catalogFromJson(const Json& json) {
  if (const Status version = checkSchema(json, "The worker's catalog"); !version)
    return fail(version.error());
  Catalog catalog;
  Members m(json, "The worker's catalog");
  m.readObject("versions", catalog.versions);
  m.each("parameters", [&](const Json& item) {
    Parameter p;
    std::string problem = readParameter(item, p);
    if (problem.empty() && p.type != ParameterType::Unknown)
      catalog.parameters.push_back(std::move(p));
    return problem;
  });
  m.each("presets", [&](const Json& item) {
    Preset p;
    std::string problem = readPreset(item, p);
    catalog.presets.push_back(std::move(p));
    return problem;
  });
  if (!m.problem().empty())
    return fail(ExitCode::Data, m.problem());
  return catalog;
}

} // namespace voxlab
