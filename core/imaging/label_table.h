// SPDX-License-Identifier: Apache-2.0
// Names and colours of the classes of a label volume, from the files that people have.
#pragma once
#include "core/base/result.h"
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

struct Label {
  std::int64_t value = 0;
  std::string name;
  std::array<std::uint8_t, 3> colour{};
  bool visible = true;
  double opacity = 1; // 0…1, as ITK-SNAP's files say it; kept, and written back
};

// Sorted by value, no value twice. Value 0 is the background and is never drawn.
struct LabelTable {
  std::string title;
  std::vector<Label> labels;
  const Label* find(std::int64_t value) const;
  Label* find(std::int64_t value);
};

// Told by content: this program's JSON, ITK-SNAP's label description (IDX R G B A VIS MSH "LABEL"), FreeSurfer's colour
// table (No. Name R G B A), or lines of "value name" (mricron's AAL, TSV with a header line is understood too). Lines that
// cannot be read are skipped; a text without a single label fails with Data. A later line wins over an earlier one.
Result<LabelTable> parseLabelTable(std::string_view text, const std::string& title);
Result<LabelTable> readLabelTable(const std::filesystem::path& file);
std::string labelTableToJson(const LabelTable& table);
std::string labelTableToItkSnap(const LabelTable& table);

// A colour that stays the same for a value and differs from its neighbours' (golden-angle hues).
std::array<std::uint8_t, 3> generatedColour(std::int64_t value);

struct LabelPreset {
  std::string_view key, title;
};
const std::vector<LabelPreset>& labelPresets();
std::optional<LabelTable> labelPreset(std::string_view key); // "brats", "aal", "tissue", "freesurfer"
// The preset whose values these are beyond doubt: FreeSurfer's, all of AAL's, BraTS's 1, 2 and 4; else nullopt.
std::optional<LabelTable> fittingPreset(const std::vector<std::int64_t>& occurring);

// Keeps the names of the table for the values that occur and makes up the others.
LabelTable tableFor(const std::vector<std::int64_t>& occurring, const LabelTable& names);

// The table that lies beside a label volume: NAME.json, NAME.txt, NAME.label, NAME.lut.txt, labels.json …; nullopt if none
// of them can be read.
std::optional<LabelTable> findLabelTableBeside(const std::filesystem::path& volume);

} // namespace voxlab
