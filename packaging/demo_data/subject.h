// SPDX-License-Identifier: Apache-2.0
// One real head, read and labelled, and the pairs that are drawn from it.
#pragma once
#include "core/base/result.h"
#include "packaging/demo_data/head_mask.h"
#include "packaging/demo_data/variation.h"
#include <filesystem>

namespace voxlab {

// What the demo's masks say, as a whole-head Med-DDPM's do with two labels. Air is 0.
enum class HeadLabel : std::uint8_t { Air = 0, Head = 1, Brain = 2 };

// A T1 volume and, for a whole head, a volume above zero in the brain. Without one the image is a brain without its head.
struct SubjectSource {
  std::string name;
  std::filesystem::path image, brain;
};

// "NAME=IMAGE" or "NAME=IMAGE,BRAIN". Fails with Usage.
Result<SubjectSource> parseSubject(const std::string& text);

struct Subject {
  std::string name;
  Volume image;                     // scaled: 0 is air, 1 the 99.5th percentile of the head
  std::vector<std::uint8_t> labels; // HeadLabel, on the image's grid
  Vec3 centre_mm{};                 // of the box around the head
};

// Fails with Data: a file that cannot be read, more than one time point, a brain on another grid, an image without a head.
Result<Subject> readSubject(const SubjectSource& source);

struct Pair {
  Volume image; // 0…1000, a thousand being the subject's 99.5th percentile; 1500 at most
  Volume mask;  // HeadLabel
};

// A cube of size³ voxels and edge_mm around the head's centre, axes RAS+, in the subject's millimetres (of the unvaried head).
// Each voxel averages the image over itself; its label is the commonest in it.
Pair drawPair(const Subject& subject, const Variation& variation, int size, double edge_mm);

} // namespace voxlab
