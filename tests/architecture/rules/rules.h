// SPDX-License-Identifier: Apache-2.0
// layers.txt, read: which room may include which, who owns a heavy library, and the rules of form.
#pragma once
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace voxlab::architecture {

struct Library {
  std::string name;
  std::regex header;               // of the included name
  std::vector<std::string> owners; // rooms, or file patterns with *
};

struct Exemption {
  std::string rule, file;
  auto operator<=>(const Exemption&) const = default;
};

struct Rules {
  std::map<std::string, std::set<std::string>> rooms; // room → rooms it may include, itself not listed
  std::vector<Library> libraries;
  std::map<std::string, std::string> licences; // path prefix → SPDX name
  std::size_t longest = 0;
  std::vector<std::string> words, testWords;
  std::set<std::string> top;
  std::set<Exemption> exemptions;
};

// Throws std::runtime_error with the line in it on anything that is not a rule, or a room that no line describes.
Rules parseRules(const std::string& text);

// The room a path lies in: the longest one that is a folder above it. A test lies in the room it mirrors, which it is told
// apart from by its "tests/" prefix: tests/core/base/x_test.cpp → tests/core/base. Empty: in none.
std::string roomOf(const Rules& rules, const std::string& path);

// The rooms that files of a room may include, the room itself among them; a test may include what its room may.
std::set<std::string> allowedFrom(const Rules& rules, const std::string& room);

// Whether a file lies in a room, or matches a file pattern (* stands for anything but a slash).
bool ownsFile(const std::string& owner, const std::string& path, const std::string& room);

} // namespace voxlab::architecture
