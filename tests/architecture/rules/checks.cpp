// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/rules/checks.h"
#include <algorithm>
#include <cctype>
#include <functional>

namespace voxlab::architecture {
namespace {

// Lines of a rule file or of the checks' own tests name what they forbid.
bool namesForbiddenWords(const SourceFile& file) {
  return file.path.starts_with("tests/architecture/");
}

using Graph = std::map<std::string, std::set<std::string>>;

// One cycle, as "a → b → a"; empty if there is none.
std::string findCycle(const Graph& graph) {
  enum class Mark { None, Open, Done };
  std::map<std::string, Mark> marks;
  std::vector<std::string> path;
  std::string cycle;
  std::function<bool(const std::string&)> visit = [&](const std::string& node) {
    if (marks[node] == Mark::Done)
      return false;
    if (marks[node] == Mark::Open) {
      for (auto it = std::find(path.begin(), path.end(), node); it != path.end(); ++it)
        cycle += *it + " → ";
      cycle += node;
      return true;
    }
    marks[node] = Mark::Open;
    path.push_back(node);
    if (const auto next = graph.find(node); next != graph.end())
      for (const auto& to : next->second)
        if (visit(to))
          return true;
    path.pop_back();
    marks[node] = Mark::Done;
    return false;
  };
  for (const auto& [node, next] : graph)
    if (visit(node))
      break;
  return cycle;
}

// Found as a whole word where it is one: mkdtemp's row of X is no mark of unfinished work.
bool hasWord(const std::string& line, const std::string& word) {
  const auto joins = [](char a, char b) {
    const auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return inWord(a) && inWord(b);
  };
  for (auto at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const auto end = at + word.size();
    if (!(at > 0 && joins(line[at - 1], word.front())) && !(end < line.size() && joins(word.back(), line[end])))
      return true;
  }
  return false;
}

// The longest prefix that a licence line names; nullptr if none does.
const std::string* licenceOf(const Rules& rules, const std::string& path) {
  const std::string* licence = nullptr;
  std::size_t length = 0;
  for (const auto& [prefix, name] : rules.licences)
    if ((path == prefix || path.starts_with(prefix + "/")) && prefix.size() > length) {
      licence = &name;
      length = prefix.size();
    }
  return licence;
}

} // namespace

Findings checkRooms(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files) {
    if (!file.isCode())
      continue;
    const std::string room = roomOf(rules, file.path);
    if (room.empty()) {
      findings.push_back({"room", file.path, "it lies in no room that layers.txt knows"});
      continue;
    }
    const auto allowed = allowedFrom(rules, room);
    for (const auto& include : file.includes()) {
      const std::string other = include.quoted ? roomOf(rules, include.name) : "";
      if (!other.empty() && !allowed.contains(other))
        findings.push_back({"room", file.path, "it includes " + include.name + ", but " + room + " may not use " + other});
    }
  }
  return findings;
}

Findings checkLibraries(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files) {
    const std::string room = roomOf(rules, file.path);
    for (const auto& include : file.isCode() ? file.includes() : std::vector<Include>{})
      for (const auto& library : rules.libraries)
        if (!include.quoted && std::regex_search(include.name, library.header) &&
            std::none_of(library.owners.begin(), library.owners.end(),
                         [&](const auto& owner) { return ownsFile(owner, file.path, room); }))
          findings.push_back({"library", file.path, "it includes <" + include.name + ">, but does not own " + library.name});
  }
  return findings;
}

Findings checkIncludes(const std::vector<SourceFile>& files) {
  Findings findings;
  std::set<std::string> known;
  for (const auto& file : files)
    known.insert(file.path);
  for (const auto& file : files)
    for (const auto& include : file.isCode() ? file.includes() : std::vector<Include>{})
      if (include.quoted && !known.contains(include.name) && !include.name.ends_with(".moc"))
        findings.push_back({"include", file.path, "\"" + include.name + "\" is no file from the repository's root"});
  return findings;
}

Findings checkCycles(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  if (const auto cycle = findCycle(rules.rooms); !cycle.empty())
    findings.push_back({"cycle", "tests/architecture/layers.txt", "its rooms go round: " + cycle});
  Graph graph;
  for (const auto& file : files)
    for (const auto& include : file.isCode() ? file.includes() : std::vector<Include>{})
      if (include.quoted)
        graph[file.path].insert(include.name);
  if (const auto cycle = findCycle(graph); !cycle.empty())
    findings.push_back({"cycle", cycle.substr(0, cycle.find(' ')), "its includes go round: " + cycle});
  return findings;
}

Findings checkLength(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files)
    if (file.hasComments() && file.lines.size() > rules.longest)
      findings.push_back({"length", file.path,
                          "it has " + std::to_string(file.lines.size()) + " lines; the limit is " + std::to_string(rules.longest)});
  return findings;
}

Findings checkLicences(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files) {
    if (!file.hasComments())
      continue;
    const std::string* licence = licenceOf(rules, file.path);
    if (!licence) {
      findings.push_back({"licence", file.path, "layers.txt names no licence for it"});
      continue;
    }
    const std::size_t at = !file.lines.empty() && file.lines[0].starts_with("#!") ? 1 : 0;
    const std::string comment = file.isCode() ? "// " : "# ";
    const std::string wanted = comment + "SPDX-License-Identifier: " + *licence;
    if (file.lines.size() <= at || file.lines[at] != wanted)
      findings.push_back({"licence", file.path, "line " + std::to_string(at + 1) + " should read: " + wanted});
  }
  return findings;
}

Findings checkWords(const Rules& rules, const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files) {
    if (namesForbiddenWords(file))
      continue;
    auto words = rules.words;
    if (file.path.starts_with("tests/"))
      words.insert(words.end(), rules.testWords.begin(), rules.testWords.end());
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      for (const auto& word : words)
        if (hasWord(file.lines[i], word))
          findings.push_back({"word", file.path, "line " + std::to_string(i + 1) + " has \"" + word + "\""});
  }
  return findings;
}

Findings checkHeaders(const std::vector<SourceFile>& files) {
  Findings findings;
  for (const auto& file : files)
    if (file.isHeader() && std::find(file.lines.begin(), file.lines.end(), "#pragma once") == file.lines.end())
      findings.push_back({"once", file.path, "it has no #pragma once"});
  return findings;
}

Findings checkTop(const Rules& rules, const std::vector<std::string>& names) {
  Findings findings;
  for (const auto& name : names)
    if (!rules.top.contains(name))
      findings.push_back({"top", name, "it has no place at the top of the repository"});
  return findings;
}

Findings applyExemptions(const Rules& rules, Findings findings) {
  std::set<Exemption> unused = rules.exemptions;
  std::erase_if(findings, [&](const Finding& finding) {
    const Exemption exemption{finding.rule, finding.file};
    unused.erase(exemption);
    return rules.exemptions.contains(exemption);
  });
  for (const auto& exemption : unused)
    findings.push_back({exemption.rule, exemption.file, "its exemption in layers.txt is not needed any more: take it out"});
  return findings;
}

} // namespace voxlab::architecture
