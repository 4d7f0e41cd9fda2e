// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/sample_description.h"
#include <algorithm>

namespace voxlab {

SampleDescription describedSample(const std::filesystem::path& sample) {
  std::string name = sample.filename().string();
  name.resize(name.size() - std::min(name.size(), name.ends_with(".nii.gz") ? std::size_t{7} : sample.extension().string().size()));
  std::error_code ec;
  while (!std::filesystem::exists(sample.parent_path() / (name + ".json"), ec)) {
    const auto mark = name.rfind('_');
    if (mark == std::string::npos)
      return {};
    name.resize(mark);
  }
  const auto read = readJsonFile(sample.parent_path() / (name + ".json"));
  if (!read || !read->is_object())
    return {};
  const auto files = jsonGet<std::vector<std::string>>(*read, "files").value_or(std::vector<std::string>{});
  const auto own = std::find(files.begin(), files.end(), sample.filename().string());
  SampleDescription description;
  if (own != files.end()) {
    description.json = *read;
    description.channel = static_cast<std::size_t>(own - files.begin());
  }
  return description;
}

} // namespace voxlab
