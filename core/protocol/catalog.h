// SPDX-License-Identifier: Apache-2.0
// What a worker can do, as `voxlab-worker describe` prints it and the launch form reads it: every parameter with type,
// default, range and explanation; modes, samplers and backends are the choices of their parameters.
#pragma once
#include "core/base/json.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

// File may also be a folder where the explanation says so; lists of numbers are separated by commas in `--set`.
enum class ParameterType { Unknown, Boolean, Integer, Number, Text, Choice, File, Folder, IntegerList, ChoiceList, NumberList };

std::string_view nameOf(ParameterType type); // "integer_list"
bool isList(ParameterType type);

struct Choice {
  std::string value;
  std::string title;
  std::string explanation;
  std::string unavailable;       // why it cannot be used here; empty when it can
  Json details = Json::object(); // a mode's switches, a device's memory_bytes, …
};

struct Parameter {
  std::string key;         // dotted: "train.learning_rate"; the path into the specification's JSON
  std::string title;       // "Learning rate"
  std::string explanation; // one or two sentences, plain words
  std::string group;       // heading in the form: "Data", "Model", …
  ParameterType type = ParameterType::Unknown;
  Json defaultValue; // null: has to be given
  std::optional<double> minimum, maximum;
  std::string unit; // "voxels", "steps", "s"; empty for plain numbers
  std::vector<Choice> choices;
  std::vector<std::string> kinds; // job kinds that use it: "train", "sample", …
  bool advanced = false;          // folded away at first
};

// Named values for a kind of job: "paper", "published", "demo".
struct Preset {
  std::string name, title, explanation, kind;
  Json values = Json::object(); // dotted key → value
};

struct Catalog {
  Json versions = Json::object(); // voxlab, torch, cuda, cudnn, itk, protocol
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;

  const Parameter* find(std::string_view key) const; // nullptr if there is none
  std::vector<const Parameter*> forKind(std::string_view kind) const;
  const Preset* preset(std::string_view kind, std::string_view name) const;
};

Json toJson(const Catalog& catalog);
// Unknown members are skipped, and so are parameters of a type that this program does not know; fails with Data on wrong
// types and on a newer major version of the protocol.
Result<Catalog> catalogFromJson(const Json& json);

} // namespace voxlab
