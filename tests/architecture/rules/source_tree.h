// SPDX-License-Identifier: Apache-2.0
// The repository's text files in memory, so that the rules can also be tried on files that do not exist.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace voxlab::architecture {

struct Include {
  std::string name;
  bool quoted = false; // "…": a file of this repository, from its root
};

struct SourceFile {
  std::string path; // from the root, with /
  std::vector<std::string> lines;

  bool isCode() const; // C++ or CUDA
  bool isHeader() const;
  bool hasComments() const; // of a kind that carries an SPDX line: code, scripts, CMake
  std::vector<Include> includes() const;
};

// Text files below the rooms and beside them; tests/data, which holds frozen inputs, and binary files are left out. Folders
// that Git ignores at the top (build*, dist) and dot-folders but .ci are too.
std::vector<SourceFile> readSourceTree(const std::filesystem::path& root);

// Names at the top but dot-files and what Git ignores there.
std::vector<std::string> topNames(const std::filesystem::path& root);

} // namespace voxlab::architecture
