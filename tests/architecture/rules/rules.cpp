// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/rules/rules.h"
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace voxlab::architecture {
namespace {

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// "HEAD: a b c" → HEAD, {a, b, c}
std::pair<std::string, std::vector<std::string>> headAndWords(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw std::runtime_error("a colon is missing");
  return {text.substr(0, colon), wordsOf(text.substr(colon + 1))};
}

void addLibrary(Rules& rules, const std::string& text) {
  const auto separator = text.find(" : ");
  const auto head = wordsOf(text.substr(0, separator));
  if (separator == std::string::npos || head.size() != 2)
    throw std::runtime_error("a library needs a name, a pattern and its owners after ' : '");
  rules.libraries.push_back({head[0], std::regex(head[1]), wordsOf(text.substr(separator + 3))});
}

void addRule(Rules& rules, const std::string& kind, const std::string& rest) {
  if (kind == "room") {
    const auto [room, allowed] = headAndWords(rest);
    rules.rooms[room].insert(allowed.begin(), allowed.end());
  } else if (kind == "library") {
    addLibrary(rules, rest);
  } else if (kind == "licence") {
    const auto [licence, prefixes] = headAndWords(rest);
    for (const auto& prefix : prefixes)
      rules.licences[prefix] = licence;
  } else if (kind == "longest") {
    rules.longest = std::stoul(rest);
  } else if (kind == "word") {
    rules.words.push_back(rest);
  } else if (kind == "test-word") {
    rules.testWords.push_back(rest);
  } else if (kind == "top") {
    const auto names = wordsOf(rest);
    rules.top.insert(names.begin(), names.end());
  } else if (kind == "exempt" && wordsOf(rest).size() >= 2) {
    rules.exemptions.insert({wordsOf(rest)[0], wordsOf(rest)[1]});
  } else {
    throw std::runtime_error("this is no rule");
  }
}

void refuseUnknownRooms(const Rules& rules) {
  for (const auto& [room, allowed] : rules.rooms)
    for (const auto& other : allowed)
      if (!rules.rooms.contains(other))
        throw std::runtime_error("layers.txt: " + room + " may include " + other + ", which no line describes");
}

} // namespace

Rules parseRules(const std::string& text) {
  Rules rules;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#')
      continue;
    const auto space = line.find(' ', first);
    try {
      if (space == std::string::npos)
        throw std::runtime_error("this is no rule");
      addRule(rules, line.substr(first, space - first), line.substr(line.find_first_not_of(' ', space)));
    } catch (const std::exception& e) {
      throw std::runtime_error("layers.txt: \"" + line + "\": " + e.what());
    }
  }
  refuseUnknownRooms(rules);
  return rules;
}

std::string roomOf(const Rules& rules, const std::string& path) {
  const auto longestAbove = [&](const std::string& name) {
    std::string best;
    for (const auto& [room, allowed] : rules.rooms)
      if (name.starts_with(room + "/") && room.size() > best.size())
        best = room;
    return best;
  };
  const std::string own = longestAbove(path);
  if (!own.empty() || !path.starts_with("tests/"))
    return own;
  const std::string mirrored = longestAbove(path.substr(6));
  return mirrored.empty() ? "" : "tests/" + mirrored;
}

std::set<std::string> allowedFrom(const Rules& rules, const std::string& room) {
  const auto found = rules.rooms.find(room);
  std::set<std::string> allowed{room};
  if (found != rules.rooms.end()) {
    allowed.insert(found->second.begin(), found->second.end());
  } else if (room.starts_with("tests/")) {
    allowed.merge(allowedFrom(rules, room.substr(6)));
    allowed.insert("tests/support");
  }
  return allowed;
}

bool ownsFile(const std::string& owner, const std::string& path, const std::string& room) {
  if (owner == room || "tests/" + owner == room || owner == path)
    return true;
  const auto star = owner.find('*');
  if (star == std::string::npos)
    return false;
  const std::string head = owner.substr(0, star), tail = owner.substr(star + 1);
  return path.size() >= head.size() + tail.size() && path.starts_with(head) && path.ends_with(tail) &&
         path.substr(head.size(), path.size() - head.size() - tail.size()).find('/') == std::string::npos;
}

} // namespace voxlab::architecture
