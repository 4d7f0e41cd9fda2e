// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/label_table.h"
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <set>
#include <tuple>

namespace voxlab {
namespace {

using Colour = std::array<std::uint8_t, 3>;

TEST(LabelTable, ReadsItkSnap) {
  const auto table = parseLabelTable("# ITK-SnAP Label Description File\n    0     0    0    0        0  0  0    \"Clear Label\"\n"
                                     "    1   255    0    0        1  1  1    \"Left lung\"\n    2     0  255    0        1  0  1    \"Heart\"\n",
                                     "labels.txt");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(1)->name, "Left lung");
  EXPECT_EQ(table->find(1)->colour, (Colour{255, 0, 0}));
  EXPECT_FALSE(table->find(2)->visible);
  EXPECT_EQ(table->find(9), nullptr);
}

TEST(LabelTable, ReadsFreeSurfer) {
  const auto table = parseLabelTable("#$Id: FreeSurferColorLUT.txt\n#No. Label Name:                            R   G   B   A\n\n"
                                     "0   Unknown                                 0   0   0   0\n"
                                     "17  Left-Hippocampus                        220 216 20  0\n2035 ctx-rh-insula 255 192 32 0\n",
                                     "lut");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(17)->name, "Left-Hippocampus");
  EXPECT_EQ(table->find(17)->colour, (Colour{220, 216, 20}));
  EXPECT_EQ(table->find(2035)->name, "ctx-rh-insula");
}

TEST(LabelTable, ReadsNumberedNamesWithWindowsLineEnds) {
  const auto table = parseLabelTable("1 Precentral_L 2001\r\n2 Precentral_R 2002\r\n116 Vermis_10 9170\r\n", "aal.nii.txt");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->labels.size(), 3u);
  EXPECT_EQ(table->find(116)->name, "Vermis_10");
}

TEST(LabelTable, ReadsTabsAndAHeaderLine) {
  const auto table = parseLabelTable("index\tname\n0\tUnclassified\n1\tMiddle cerebellar peduncle\n", "dseg.tsv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(1)->name, "Middle cerebellar peduncle");
}

TEST(LabelTable, SurvivesItsOwnFiles) {
  const LabelTable table{"Mine", {{1, "ventricle \"left\"", {1, 2, 3}, true}, {40, "Œdème", {255, 0, 9}, false}}};
  const auto json = parseLabelTable(labelTableToJson(table), "x.json");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->title, "Mine");
  EXPECT_EQ(json->find(40)->name, "Œdème");
  EXPECT_FALSE(json->find(40)->visible);
  EXPECT_EQ(json->find(1)->name, "ventricle \"left\"");
  const auto snap = parseLabelTable(labelTableToItkSnap(table), "x.label");
  ASSERT_TRUE(snap);
  EXPECT_EQ(snap->find(40)->colour, (Colour{255, 0, 9}));
  EXPECT_EQ(snap->find(1)->name, "ventricle 'left'");
}

TEST(LabelTable, KeepsItkSnapsOpacity) {
  const auto table = parseLabelTable("1 255 0 0 0.35 1 1 \"Half\"\n2 0 255 0 1 1 1 \"Whole\"\n3 0 0 9 7 1 1 \"Nonsense\"\n", "labels.txt");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(1)->opacity, 0.35);
  EXPECT_EQ(table->find(3)->opacity, 1);
  EXPECT_THAT(labelTableToItkSnap(*table), testing::HasSubstr("1 255 0 0 0.35 1 1 \"Half\"\n2 0 255 0 1 1 1 \"Whole\"\n"));
  EXPECT_EQ(parseLabelTable(labelTableToJson(*table), "x.json")->find(1)->opacity, 0.35);
}

TEST(LabelTable, BadTextsGiveASentence) {
  for (const std::string text : {"", "hello\nworld\n", "{", "{}", R"({"labels":[]})", R"({"labels":[{"name":"x"}]})", "\x80\x81\xff"}) {
    const auto table = parseLabelTable(text, "broken.txt");
    ASSERT_FALSE(table) << text;
    EXPECT_THAT(table.error().message, testing::HasSubstr("broken.txt"));
  }
}

TEST(LabelTable, LaterLinesWinAndOddOnesAreSkipped) {
  const auto table = parseLabelTable("1 a\n1 b\nx y\n2\n3 c 1 2\n99999999999999999999 huge\n", "t");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(1)->name, "b");
  EXPECT_EQ(table->labels.size(), 2u);
}

TEST(LabelTable, MakesUpWhatTheNamesLack) {
  const LabelTable table = tableFor({0, 1, 5}, *labelPreset("brats"));
  ASSERT_EQ(table.labels.size(), 2u) << "0 is the background";
  EXPECT_EQ(table.find(1)->name, "Necrotic core (NCR)");
  EXPECT_EQ(table.find(5)->name, "Label 5");
}

TEST(LabelTable, PresetsAreSortedAndWhole) {
  for (const auto& preset : labelPresets()) {
    const auto table = labelPreset(preset.key);
    ASSERT_TRUE(table) << preset.key;
    for (std::size_t i = 1; i < table->labels.size(); ++i)
      EXPECT_GT(table->labels[i].value, table->labels[i - 1].value) << preset.key;
  }
  EXPECT_EQ(labelPreset("aal")->labels.size(), 116u);
  EXPECT_EQ(labelPreset("aal")->find(37)->name, "Hippocampus_L");
  EXPECT_EQ(labelPreset("freesurfer")->find(53)->name, "Right-Hippocampus");
  EXPECT_FALSE(labelPreset("none"));
}

TEST(LabelTable, FreeSurfersRowsAreThoseOfItsOwnFile) {
  const LabelTable table = *labelPreset("freesurfer");
  const auto file = readLabelTable(testData() / "imaging/freesurfer_rows.txt");
  ASSERT_TRUE(file) << file.error().message;
  std::size_t compared = 0;
  const auto compare = [&](std::int64_t value, const std::string& name, Colour colour) {
    const Label* own = table.find(value);
    ASSERT_TRUE(own) << value;
    EXPECT_EQ(own->name, name) << value;
    EXPECT_EQ(own->colour, colour) << value << ' ' << name;
    ++compared;
  };
  const auto renamed = [](std::string name, const std::string& from, const std::string& to) { return name.replace(name.find(from), from.size(), to); };
  for (const Label& row : file->labels) {
    compare(row.value, row.name, row.colour);
    if (row.value >= 1000 && row.value < 4000)
      compare(row.value + 1000, renamed(row.name, "-lh-", "-rh-"), row.colour);
    if (row.value >= 11100) {
      compare(row.value + 1000, renamed(row.name, "ctx_lh_", "ctx_rh_"), row.colour);
      compare(row.value + 2000, renamed(row.name, "ctx_lh_", "wm_lh_"), row.colour);
      compare(row.value + 3000, renamed(row.name, "ctx_lh_", "wm_rh_"), row.colour);
    }
  }
  EXPECT_EQ(compared, table.labels.size()) << "rows that the file does not confirm";
}

TEST(LabelTable, ThePresetIsChosenWhereTheValuesLeaveNoDoubt) {
  const auto titleFor = [](const std::vector<std::int64_t>& values) {
    const auto table = fittingPreset(values);
    return table ? table->title : std::string();
  };
  EXPECT_EQ(titleFor({0, 2, 3, 4, 7, 8, 10, 41, 42, 43, 46, 47, 49, 77}), "FreeSurfer") << "aseg";
  EXPECT_EQ(titleFor({0, 1001, 1002, 1003, 1005, 1006, 2001, 2002, 2003, 2035}), "FreeSurfer") << "aparc";
  EXPECT_EQ(titleFor({11101, 11102, 11103, 11104, 12101, 12102, 12103, 12104}), "FreeSurfer") << "a2009s";
  EXPECT_EQ(titleFor({0, 1, 2, 4}), "BraTS");
  std::vector<std::int64_t> values{0};
  for (std::int64_t value = 1; value <= 116; ++value)
    values.push_back(value);
  EXPECT_EQ(titleFor(values), "AAL");
  values.push_back(117);
  EXPECT_EQ(titleFor(values), "");
  for (const std::vector<std::int64_t>& other : {std::vector<std::int64_t>{}, {0}, {0, 1, 2}, {0, 1, 2, 3}, {2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {1000, 2000, 3000}})
    EXPECT_EQ(titleFor(other), "");
}

TEST(LabelTable, GeneratedColoursStayAndDiffer) {
  std::set<Colour> seen;
  for (int value = 1; value <= 120; ++value) {
    EXPECT_EQ(generatedColour(value), generatedColour(value));
    seen.insert(generatedColour(value));
  }
  EXPECT_GT(seen.size(), 115u);
}

TEST(LabelTable, IsFoundBesideTheVolume) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "aal.nii.txt", "1 Precentral_L 2001\n"));
  const auto table = findLabelTableBeside(folder.path() / "aal.nii.gz");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(1)->name, "Precentral_L");
  EXPECT_FALSE(findLabelTableBeside(folder.path() / "other.nii.gz"));
}

} // namespace
} // namespace voxlab
