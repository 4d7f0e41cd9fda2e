// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/job_spec.h"
#include "core/base/text.h"
#include "core/protocol/job_rules.h"
#include "core/protocol/parameter_value.h"
#include "core/protocol/version.h"
#include <algorithm>
#include <functional>
#include <numeric>

namespace voxlab {
namespace {
const Json kNothing;

const Json* lookUp(const Json& values, const std::string& key) {
  const Json* at = &values;
  for (const std::string& part : split(key, '.')) {
    if (!at->is_object())
      return nullptr;
    const auto it = at->find(part);
    if (it == at->end())
      return nullptr;
    at = &*it;
  }
  return at;
}

// Calls use(key, value) for every value; a key of the catalog is never looked into.
void eachValue(const Json& values, const std::string& prefix, const Catalog& catalog,
               const std::function<void(const std::string&, const Json&)>& use) {
  for (const auto& [name, value] : values.items()) {
    const std::string key = prefix + name;
    if (value.is_object() && !catalog.find(key))
      eachValue(value, key + ".", catalog, use);
    else
      use(key, value);
  }
}

std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string unknownKey(const std::string& key, const Catalog& catalog) {
  const auto distance = [&](const Parameter& p) {
    const std::string shortKey = p.key.substr(p.key.rfind('.') + 1);
    return std::min(editDistance(key, p.key), editDistance(key, shortKey));
  };
  const auto nearest = std::min_element(catalog.parameters.begin(), catalog.parameters.end(),
                                        [&](const Parameter& a, const Parameter& b) { return distance(a) < distance(b); });
  std::string message = "There is no parameter \"" + key + "\".";
  if (nearest != catalog.parameters.end() && distance(*nearest) <= 3)
    message += " Did you mean " + nearest->key + "?";
  return message;
}

bool usedBy(const Parameter& p, const std::string& kind) {
  return std::find(p.kinds.begin(), p.kinds.end(), kind) != p.kinds.end();
}
} // namespace

bool JobSpec::has(const std::string& key) const {
  return lookUp(m_values, key) != nullptr;
}

const Json& JobSpec::value(const std::string& key) const {
  const Json* found = lookUp(m_values, key);
  return found ? *found : kNothing;
}

void JobSpec::set(const std::string& key, Json value) {
  Json* at = &m_values;
  for (const std::string& part : split(key, '.')) {
    if (!at->is_object())
      *at = Json::object();
    at = &(*at)[part];
  }
  *at = std::move(value);
}

void JobSpec::remove(const std::string& key) {
  const auto dot = key.rfind('.');
  const std::string parentKey = key.substr(0, dot == std::string::npos ? 0 : dot);
  const Json* parent = dot == std::string::npos ? &m_values : lookUp(m_values, parentKey);
  if (!parent || !parent->is_object() || !has(key))
    return;
  Json rest = *parent;
  rest.erase(key.substr(dot == std::string::npos ? 0 : dot + 1));
  if (dot == std::string::npos)
    m_values = std::move(rest);
  else if (rest.empty())
    remove(parentKey);
  else
    set(parentKey, std::move(rest));
}

void JobSpec::apply(const Preset& preset) {
  for (const auto& [key, value] : preset.values.items())
    set(key, value);
}

Status JobSpec::applyAssignment(const std::string& assignment, const Catalog& catalog) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos)
    return fail(ExitCode::Usage, "\"" + assignment + "\" is not of the form key=value.");
  const std::string key = trimmed(assignment.substr(0, equals));
  const Parameter* parameter = catalog.find(key);
  if (!parameter)
    return fail(ExitCode::Usage, unknownKey(key, catalog));
  auto parsed = valueFromText(*parameter, assignment.substr(equals + 1));
  if (!parsed)
    return fail(parsed.error());
  set(key, std::move(*parsed));
  return {};
}

void JobSpec::fillDefaults(const Catalog& catalog) {
  for (const Parameter* p : catalog.forKind(m_kind))
    if (!p->defaultValue.is_null() && !has(p->key))
      set(p->key, p->defaultValue);
}

std::vector<SpecProblem> JobSpec::problems(const Catalog& catalog) const {
  const auto parameters = catalog.forKind(m_kind);
  if (parameters.empty())
    return {{"kind", "This worker knows no job of kind \"" + m_kind + "\"."}};
  std::vector<SpecProblem> found;
  eachValue(m_values, "", catalog, [&](const std::string& key, const Json& value) {
    const Parameter* p = catalog.find(key);
    if (!p)
      found.push_back({key, unknownKey(key, catalog)});
    else if (!usedBy(*p, m_kind))
      found.push_back({key, p->title + " has no meaning in a job of kind \"" + m_kind + "\"."});
    else if (std::string problem = problemWith(*p, value); !problem.empty())
      found.push_back({key, std::move(problem)});
  });
  for (const Parameter* p : parameters)
    if (p->defaultValue.is_null() && !has(p->key))
      found.push_back({p->key, p->title + " has to be given."});
  for (SpecProblem& conflict : conflictingValues(*this, catalog)) {
    const auto same = [&](const SpecProblem& other) { return other.key == conflict.key; };
    if (std::none_of(found.begin(), found.end(), same))
      found.push_back(std::move(conflict));
  }
  return found;
}

Json JobSpec::toJson() const {
  Json json{{"schema", schemaVersion()}, {"kind", m_kind}};
  json.update(m_values);
  return json;
}

Result<JobSpec> JobSpec::fromJson(const Json& json) {
  if (const Status version = checkSchema(json, "The job specification"); !version)
    return fail(ExitCode::Usage, version.error().message);
  const auto kind = jsonGet<std::string>(json, "kind");
  if (!kind)
    return fail(ExitCode::Usage, "The job specification has no \"kind\" (train, sample, …).");
  JobSpec spec(*kind);
  spec.m_values = json;
  spec.m_values.erase("schema");
  spec.m_values.erase("kind");
  return spec;
}

Result<JobSpec> JobSpec::read(const std::filesystem::path& file) {
  const auto json = readJsonFile(file);
  if (!json)
    return fail(ExitCode::Usage, json.error().message);
  auto spec = fromJson(*json);
  if (!spec)
    return fail(spec.error().code, file.string() + ": " + spec.error().message);
  return spec;
}

std::vector<std::string> JobSpec::commandLine(const Catalog& catalog) const {
  std::vector<std::string> words{"voxlab-worker", m_kind};
  eachValue(m_values, "", catalog, [&](const std::string& key, const Json& value) {
    const Parameter* p = catalog.find(key);
    if (p && p->defaultValue == value)
      return;
    words.push_back("--set");
    words.push_back(key + "=" + valueToText(value));
  });
  return words;
}

std::string shellCommand(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) || std::string_view("_-./=,:+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    std::string quoted = "'";
    for (const char c : word)
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += (line.empty() ? "" : " ") + (plain ? word : quoted + "'");
  }
  return line;
}

} // namespace voxlab
