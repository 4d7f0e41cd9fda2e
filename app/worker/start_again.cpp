// SPDX-License-Identifier: Apache-2.0
#include "app/worker/start_again.h"
#include <fstream>
#include <unistd.h>

namespace voxlab {

void startAgain(const std::vector<std::string>& more) {
  std::vector<std::string> words;
  std::ifstream commandLine("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(commandLine, word, '\0');)
    words.push_back(word);
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv("/proc/self/exe", arguments.data());
}

} // namespace voxlab
