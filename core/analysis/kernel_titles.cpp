// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_titles.h"
#include "core/analysis/kernels.h"
#include "core/base/text.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace voxlab {
namespace {
using Words = std::vector<std::string>;

constexpr std::size_t kMostWords = 3, kLongestWord = 24, kLongestName = 4096;

Words wordsIn(std::string_view name) {
  name = name.substr(0, kLongestName);
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  Words words;
  for (auto at = name.begin(); at != name.end();) {
    const auto begin = std::find_if(at, name.end(), isWord);
    at = std::find_if_not(begin, name.end(), isWord);
    if (begin != at)
      words.emplace_back(begin, at);
  }
  return words;
}

bool areAllDifferent(const Words& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size() == texts.size();
}

// Words at one place of every name, as many places as it takes; empty where that is more than a title bears.
Words differingWords(const std::vector<Words>& names) {
  const bool areAlike = std::all_of(names.begin(), names.end(), [&](const Words& words) { return words.size() == names.front().size(); });
  std::vector<Words> places; // where not all are the same
  for (std::size_t place = 0; areAlike && place < names.front().size(); ++place) {
    Words here;
    for (const Words& words : names)
      here.push_back(words[place]);
    const bool isShort = std::all_of(here.begin(), here.end(), [](const std::string& word) { return word.size() <= kLongestWord; });
    if (isShort && areAllDifferent(here))
      return here;
    if (isShort && std::any_of(here.begin(), here.end(), [&](const std::string& word) { return word != here.front(); }))
      places.push_back(std::move(here));
  }
  Words joined(names.size());
  for (std::size_t i = 0; i < std::min(places.size(), kMostWords); ++i) {
    for (std::size_t n = 0; n < names.size(); ++n)
      joined[n] += (i ? " " : "") + places[i][n];
    if (areAllDifferent(joined))
      return joined;
  }
  return {};
}

// What tells names of one function apart, or their numbers.
Words withinFunction(const Words& names) {
  std::vector<Words> words;
  for (const auto& name : names)
    words.push_back(wordsIn(name));
  Words differences = differingWords(words);
  for (std::size_t i = 0; differences.size() < names.size(); ++i)
    differences.push_back("#" + std::to_string(i + 1));
  return differences;
}

// Functions by name; of long names, as cuDNN's and CUTLASS's, the parts between underscores that differ.
std::map<std::string, std::string> functionWords(const std::set<std::string>& functions) {
  std::map<std::string, std::string> words;
  std::vector<Words> parts;
  for (const auto& function : functions) {
    words[function] = function;
    parts.push_back(split(function, '_'));
  }
  const bool areShort = std::all_of(functions.begin(), functions.end(), [](const std::string& function) { return function.size() <= 2 * kLongestWord; });
  const Words differences = areShort ? Words() : differingWords(parts);
  for (auto difference = differences.begin(); auto& [function, text] : words)
    if (difference != differences.end())
      text = *difference++;
  return words;
}

// Suffixes of sorted names that share a short name.
Words suffixesOf(const Words& names) {
  std::map<std::string, std::vector<std::size_t>> byFunction;
  for (std::size_t i = 0; i < names.size(); ++i)
    byFunction[kernelBaseName(names[i])].push_back(i);
  std::set<std::string> functions;
  for (const auto& [function, members] : byFunction)
    functions.insert(function);
  const auto words = functionWords(functions);
  Words suffixes(names.size());
  for (const auto& [function, members] : byFunction) {
    if (byFunction.size() > 1)
      for (const std::size_t i : members)
        suffixes[i] = words.at(function);
    if (members.size() < 2)
      continue;
    Words of;
    for (const std::size_t i : members)
      of.push_back(names[i]);
    const Words differences = withinFunction(of);
    for (std::size_t n = 0; n < members.size(); ++n)
      suffixes[members[n]] += (suffixes[members[n]].empty() ? "" : " ") + differences[n];
  }
  return suffixes;
}

std::string sides(const std::uint32_t (&s)[3]) {
  return std::to_string(s[0]) + "×" + std::to_string(s[1]) + "×" + std::to_string(s[2]);
}
} // namespace

std::vector<std::string> kernelTitles(std::span<const NamedKernel> kernels) {
  std::map<std::string, std::set<std::string>> sharing; // short name → names
  for (const auto& kernel : kernels)
    sharing[kernel.shortName].insert(kernel.name);
  std::map<std::pair<std::string, std::string>, std::string> suffixes;
  for (const auto& [shortName, names] : sharing) {
    if (names.size() < 2)
      continue;
    const Words sorted(names.begin(), names.end());
    const Words differences = suffixesOf(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      suffixes[{shortName, sorted[i]}] = (differences[i].starts_with('#') ? " " : " · ") + differences[i];
  }
  std::vector<std::string> titles;
  for (const auto& kernel : kernels) {
    const auto suffix = suffixes.find({kernel.shortName, kernel.name});
    titles.push_back(kernel.shortName + (suffix == suffixes.end() ? std::string() : suffix->second));
  }
  return titles;
}

std::vector<std::string> shapeDifferences(std::span<const LaunchGeometry> shapes) {
  std::vector<std::string> words(shapes.size());
  const auto add = [&](auto text) {
    Words texts;
    for (const auto& shape : shapes)
      texts.push_back(text(shape));
    if (std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts.front(); }))
      return;
    for (std::size_t i = 0; i < texts.size(); ++i)
      words[i] += (words[i].empty() ? "" : ", ") + texts[i];
  };
  add([](const LaunchGeometry& s) { return "grid " + sides(s.grid); });
  add([](const LaunchGeometry& s) { return "block " + sides(s.block); });
  add([](const LaunchGeometry& s) { return std::to_string(s.registersPerThread) + " registers"; });
  add([](const LaunchGeometry& s) { return std::to_string(s.sharedMemoryBytes) + " B shared"; });
  return words;
}

} // namespace voxlab
