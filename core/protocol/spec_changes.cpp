// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/spec_changes.h"
#include "core/base/text.h"
#include "core/protocol/parameter_value.h"

namespace voxlab {
namespace {
constexpr std::size_t kMostTold = 3;

std::string wordsOf(const Json& value) {
  const std::string words = value.is_null() ? "" : valueToText(value);
  return words.empty() ? "not given" : words;
}
} // namespace

std::vector<SpecChange> specChanges(const JobSpec& then, const JobSpec& now, const Catalog& known) {
  std::vector<SpecChange> changes;
  if (then.kind() != now.kind())
    changes.push_back({"kind", then.kind(), now.kind()});
  for (const Parameter* parameter : known.forKind(now.kind())) {
    const Json before = then.value(parameter->key), after = now.value(parameter->key);
    const Json was = before.is_null() ? parameter->defaultValue : before, is = after.is_null() ? parameter->defaultValue : after;
    if (was != is)
      changes.push_back({parameter->key, was, is});
  }
  return changes;
}

std::string changeWords(const std::vector<SpecChange>& changes) {
  std::string words;
  for (std::size_t n = 0; n < std::min(kMostTold, changes.size()); ++n)
    words += (n == 0 ? "" : "; ") + changes[n].key + " was " + wordsOf(changes[n].then) + " and is " + wordsOf(changes[n].now) + " now";
  return words + (changes.size() > kMostTold ? "; and " + std::to_string(changes.size() - kMostTold) + " more" : "");
}

std::string settingsOfThen(const std::vector<SpecChange>& changes) {
  std::string words;
  for (const SpecChange& change : changes)
    if (change.key != "kind")
      words += (words.empty() ? "--set " : " --set ") + shellCommand({change.key + "=" + (change.then.is_null() ? "" : valueToText(change.then))});
  return words;
}

} // namespace voxlab
