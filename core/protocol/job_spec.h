// SPDX-License-Identifier: Apache-2.0
// One job, whole: its kind and a value for every parameter. As a file (spec.json), as `--set key=value` and as the form.
#pragma once
#include "core/protocol/catalog.h"

namespace voxlab {

// What is wrong with one value, in words that a form can show beside the field.
struct SpecProblem {
  std::string key;
  std::string message;
};

class JobSpec {
public:
  JobSpec() = default;
  explicit JobSpec(std::string kind) : m_kind(std::move(kind)) {}

  const std::string& kind() const { return m_kind; }
  // Values by dotted key; nested objects in the file.
  bool has(const std::string& key) const;
  void set(const std::string& key, Json value);
  void remove(const std::string& key);
  const Json& value(const std::string& key) const; // null when absent
  template <class T> T get(const std::string& key, T fallback = {}) const {
    const auto found = jsonGetValue<T>(value(key));
    return found ? *found : fallback;
  }
  void apply(const Preset& preset);
  // "key=value": the value is read as the parameter's type wants it; lists are separated by commas. Fails with Usage on an
  // unknown key and on a value that cannot be read so.
  Status applyAssignment(const std::string& assignment, const Catalog& catalog);

  // Fills in defaults of the parameters that the kind uses.
  void fillDefaults(const Catalog& catalog);
  // Every unknown key, wrong type, value out of range, missing value, choice that is unavailable, and values that do not go
  // together; an absent value counts as its default. Empty: fine. Whether files exist is not looked at.
  std::vector<SpecProblem> problems(const Catalog& catalog) const;

  Json toJson() const;                               // {"schema": "1.0", "kind": …, nested values}
  static Result<JobSpec> fromJson(const Json& json); // fails with Usage without a kind and on a newer major version
  static Result<JobSpec> read(const std::filesystem::path& file);

  // The command line that does the same: voxlab-worker train --set … (only values that differ from the defaults).
  std::vector<std::string> commandLine(const Catalog& catalog) const;

private:
  template <class T> static std::optional<T> jsonGetValue(const Json& value) { return jsonGet<T>(Json{{"v", value}}, "v"); }
  std::string m_kind;
  Json m_values = Json::object(); // nested
};

// As one line to paste into a shell: words with special characters are quoted.
std::string shellCommand(const std::vector<std::string>& words);

} // namespace voxlab
