// SPDX-License-Identifier: Apache-2.0
// Values, names and colours of FreeSurfer's colour table for what recon-all writes: aseg, aparc+aseg, aparc.a2009s+aseg, wmparc.
// Source: FreeSurferColorLUT.txt as MNE-Python carries it (2012); white matter 3000 to 4035 and Destrieux also by github.com/freesurfer/freesurfer
// at 62228baedd5c, aseg also by a newer copy of the table. Frozen in tests/data/imaging/freesurfer_rows.txt.
#include "core/imaging/label_freesurfer.h"
#include <algorithm>
#include <array>
#include <iterator>

namespace voxlab {
namespace {

struct Region {
  const char* name;
  std::uint32_t colour; // 0xRRGGBB
};

// Desikan-Killiany: 1000 + n on the left, 2000 + n on the right; the white matter under it at 3000 and 4000, in the complement's
// colour but for the insula's.
constexpr Region kDesikanKilliany[] = {
    {"unknown", 0x190519}, {"bankssts", 0x196428}, {"caudalanteriorcingulate", 0x7d64a0}, {"caudalmiddlefrontal", 0x641900},
    {"corpuscallosum", 0x784632}, {"cuneus", 0xdc1464}, {"entorhinal", 0xdc140a}, {"fusiform", 0xb4dc8c}, {"inferiorparietal", 0xdc3cdc},
    {"inferiortemporal", 0xb42878}, {"isthmuscingulate", 0x8c148c}, {"lateraloccipital", 0x141e8c}, {"lateralorbitofrontal", 0x234b32},
    {"lingual", 0xe18c8c}, {"medialorbitofrontal", 0xc8234b}, {"middletemporal", 0xa06432}, {"parahippocampal", 0x14dc3c}, {"paracentral", 0x3cdc3c},
    {"parsopercularis", 0xdcb48c}, {"parsorbitalis", 0x146432}, {"parstriangularis", 0xdc3c14}, {"pericalcarine", 0x78643c},
    {"postcentral", 0xdc1414}, {"posteriorcingulate", 0xdcb4dc}, {"precentral", 0x3c14dc}, {"precuneus", 0xa08cb4},
    {"rostralanteriorcingulate", 0x50148c}, {"rostralmiddlefrontal", 0x4b327d}, {"superiorfrontal", 0x14dca0}, {"superiorparietal", 0x14b48c},
    {"superiortemporal", 0x8cdcdc}, {"supramarginal", 0x50a014}, {"frontalpole", 0x640064}, {"temporalpole", 0x464646},
    {"transversetemporal", 0x9696c8}, {"insula", 0xffc020},
};

// Destrieux (a2009s): 11100 + n on the left, 12100 + n on the right; the white matter under it at 13100 and 14100.
constexpr Region kDestrieux[] = {
    {"Unknown", 0x000000}, {"G_and_S_frontomargin", 0x17dc3c}, {"G_and_S_occipital_inf", 0x173cb4}, {"G_and_S_paracentral", 0x3f643c},
    {"G_and_S_subcentral", 0x3f14dc}, {"G_and_S_transv_frontopol", 0x0d00fa}, {"G_and_S_cingul-Ant", 0x1a3c00}, {"G_and_S_cingul-Mid-Ant", 0x1a3c4b},
    {"G_and_S_cingul-Mid-Post", 0x1a3c96}, {"G_cingul-Post-dorsal", 0x193cfa}, {"G_cingul-Post-ventral", 0x3c1919}, {"G_cuneus", 0xb41414},
    {"G_front_inf-Opercular", 0xdc1464}, {"G_front_inf-Orbital", 0x8c3c3c}, {"G_front_inf-Triangul", 0xb4dc8c}, {"G_front_middle", 0x8c64b4},
    {"G_front_sup", 0xb4148c}, {"G_Ins_lg_and_S_cent_ins", 0x170a0a}, {"G_insular_short", 0xe18c8c}, {"G_occipital_middle", 0xb43cb4},
    {"G_occipital_sup", 0x14dc3c}, {"G_oc-temp_lat-fusifor", 0x3c148c}, {"G_oc-temp_med-Lingual", 0xdcb48c}, {"G_oc-temp_med-Parahip", 0x416414},
    {"G_orbital", 0xdc3c14}, {"G_pariet_inf-Angular", 0x143cdc}, {"G_pariet_inf-Supramar", 0x64643c}, {"G_parietal_sup", 0xdcb4dc},
    {"G_postcentral", 0x14b48c}, {"G_precentral", 0x3c8cb4}, {"G_precuneus", 0x19148c}, {"G_rectus", 0x143c64}, {"G_subcallosal", 0x3cdc14},
    {"G_temp_sup-G_T_transv", 0x3c3cdc}, {"G_temp_sup-Lateral", 0xdc3cdc}, {"G_temp_sup-Plan_polar", 0x41dc3c}, {"G_temp_sup-Plan_tempo", 0x198c14},
    {"G_temporal_inf", 0xdcdc64}, {"G_temporal_middle", 0xb43c3c}, {"Lat_Fis-ant-Horizont", 0x3d14dc}, {"Lat_Fis-ant-Vertical", 0x3d143c},
    {"Lat_Fis-post", 0x3d3c64}, {"Medial_wall", 0x191919}, {"Pole_occipital", 0x8c143c}, {"Pole_temporal", 0xdcb414}, {"S_calcarine", 0x3fb4b4},
    {"S_central", 0xdd140a}, {"S_cingul-Marginalis", 0xdd1464}, {"S_circular_insula_ant", 0xdd3c8c}, {"S_circular_insula_inf", 0xdd14dc},
    {"S_circular_insula_sup", 0x3ddcdc}, {"S_collat_transv_ant", 0x64c8c8}, {"S_collat_transv_post", 0x0ac8c8}, {"S_front_inf", 0xdddc14},
    {"S_front_middle", 0x8d1464}, {"S_front_sup", 0x3ddc64}, {"S_interm_prim-Jensen", 0x8d3c14}, {"S_intrapariet_and_P_trans", 0x8f14dc},
    {"S_oc_middle_and_Lunatus", 0x653cdc}, {"S_oc_sup_and_transversal", 0x15148c}, {"S_occipital_ant", 0x3d14b4}, {"S_oc-temp_lat", 0xdd8c14},
    {"S_oc-temp_med_and_Lingual", 0x8d64dc}, {"S_orbital_lateral", 0xdd6414}, {"S_orbital_med-olfact", 0xb5c814}, {"S_orbital-H_Shaped", 0x651414},
    {"S_parieto_occipital", 0x6564b4}, {"S_pericallosal", 0xb5dc14}, {"S_postcentral", 0x158cc8}, {"S_precentral-inf-part", 0x1514f0},
    {"S_precentral-sup-part", 0x1514c8}, {"S_suborbital", 0x15143c}, {"S_subparietal", 0x653c3c}, {"S_temporal_inf", 0x15b4b4},
    {"S_temporal_sup", 0xdfdc3c}, {"S_temporal_transverse", 0xdd3c3c},
};

// aseg.mgz
const std::vector<Label>& aseg() {
  static const std::vector<Label> labels{
      {2, "Left-Cerebral-White-Matter", {245, 245, 245}},
      {3, "Left-Cerebral-Cortex", {205, 62, 78}},
      {4, "Left-Lateral-Ventricle", {120, 18, 134}},
      {5, "Left-Inf-Lat-Vent", {196, 58, 250}},
      {7, "Left-Cerebellum-White-Matter", {220, 248, 164}},
      {8, "Left-Cerebellum-Cortex", {230, 148, 34}},
      {10, "Left-Thalamus", {0, 118, 14}},
      {11, "Left-Caudate", {122, 186, 220}},
      {12, "Left-Putamen", {236, 13, 176}},
      {13, "Left-Pallidum", {12, 48, 255}},
      {14, "3rd-Ventricle", {204, 182, 142}},
      {15, "4th-Ventricle", {42, 204, 164}},
      {16, "Brain-Stem", {119, 159, 176}},
      {17, "Left-Hippocampus", {220, 216, 20}},
      {18, "Left-Amygdala", {103, 255, 255}},
      {24, "CSF", {60, 60, 60}},
      {25, "Left-Lesion", {255, 165, 0}},
      {26, "Left-Accumbens-area", {255, 165, 0}},
      {27, "Left-Substancia-Nigra", {0, 255, 127}},
      {28, "Left-VentralDC", {165, 42, 42}},
      {30, "Left-vessel", {160, 32, 240}},
      {31, "Left-choroid-plexus", {0, 200, 200}},
      {41, "Right-Cerebral-White-Matter", {245, 245, 245}},
      {42, "Right-Cerebral-Cortex", {205, 62, 78}},
      {43, "Right-Lateral-Ventricle", {120, 18, 134}},
      {44, "Right-Inf-Lat-Vent", {196, 58, 250}},
      {46, "Right-Cerebellum-White-Matter", {220, 248, 164}},
      {47, "Right-Cerebellum-Cortex", {230, 148, 34}},
      {49, "Right-Thalamus", {0, 118, 14}},
      {50, "Right-Caudate", {122, 186, 220}},
      {51, "Right-Putamen", {236, 13, 176}},
      {52, "Right-Pallidum", {13, 48, 255}},
      {53, "Right-Hippocampus", {220, 216, 20}},
      {54, "Right-Amygdala", {103, 255, 255}},
      {57, "Right-Lesion", {255, 165, 0}},
      {58, "Right-Accumbens-area", {255, 165, 0}},
      {59, "Right-Substancia-Nigra", {0, 255, 127}},
      {60, "Right-VentralDC", {165, 42, 42}},
      {62, "Right-vessel", {160, 32, 240}},
      {63, "Right-choroid-plexus", {0, 200, 221}},
      {72, "5th-Ventricle", {120, 190, 150}},
      {77, "WM-hypointensities", {200, 70, 255}},
      {78, "Left-WM-hypointensities", {255, 148, 10}},
      {79, "Right-WM-hypointensities", {255, 148, 10}},
      {80, "non-WM-hypointensities", {164, 108, 226}},
      {81, "Left-non-WM-hypointensities", {164, 108, 226}},
      {82, "Right-non-WM-hypointensities", {164, 108, 226}},
      {85, "Optic-Chiasm", {234, 169, 30}},
      {86, "Left_future_WMSA", {200, 120, 255}},
      {87, "Right_future_WMSA", {200, 121, 255}},
      {88, "future_WMSA", {200, 122, 255}},
      {99, "Lesion", {255, 165, 0}},
      {165, "Skull", {120, 120, 120}},
      {192, "Corpus_Callosum", {0, 0, 160}},
      {250, "Fornix", {255, 0, 0}},
      {251, "CC_Posterior", {0, 0, 64}},
      {252, "CC_Mid_Posterior", {0, 0, 112}},
      {253, "CC_Central", {0, 0, 160}},
      {254, "CC_Mid_Anterior", {0, 0, 208}},
      {255, "CC_Anterior", {0, 0, 255}},
      {257, "CSF-ExtraCerebral", {60, 60, 60}},
      {258, "Head-ExtraCerebral", {150, 150, 200}},
      {259, "Eye-Fluid", {60, 60, 60}},
  };
  return labels;
}

std::array<std::uint8_t, 3> rgb(std::uint32_t colour) {
  return {static_cast<std::uint8_t>(colour >> 16), static_cast<std::uint8_t>(colour >> 8), static_cast<std::uint8_t>(colour)};
}

template <std::size_t kCount>
void append(std::vector<Label>& labels, std::int64_t first, const std::string& prefix, const Region (&regions)[kCount], std::uint32_t flipped = 0) {
  for (const Region& region : regions)
    labels.push_back({first++, prefix + region.name, rgb(region.colour ^ flipped), true});
}
} // namespace

LabelTable freeSurferTable() {
  constexpr std::uint32_t kComplement = 0xffffff;
  LabelTable table{"FreeSurfer", aseg()};
  append(table.labels, 1000, "ctx-lh-", kDesikanKilliany);
  append(table.labels, 2000, "ctx-rh-", kDesikanKilliany);
  append(table.labels, 3000, "wm-lh-", kDesikanKilliany, kComplement);
  append(table.labels, 4000, "wm-rh-", kDesikanKilliany, kComplement);
  for (const std::int64_t insula : {3035, 4035})
    table.find(insula)->colour = {20, 220, 160};
  table.labels.push_back({5001, "Left-UnsegmentedWhiteMatter", {20, 30, 40}, true});
  table.labels.push_back({5002, "Right-UnsegmentedWhiteMatter", {20, 30, 40}, true});
  append(table.labels, 11100, "ctx_lh_", kDestrieux);
  append(table.labels, 12100, "ctx_rh_", kDestrieux);
  append(table.labels, 13100, "wm_lh_", kDestrieux);
  append(table.labels, 14100, "wm_rh_", kDestrieux);
  return table;
}

// Structures that both sides have, and regions of the cortex, are what no other common atlas numbers so.
bool looksLikeFreeSurfer(const std::vector<std::int64_t>& occurring, const LabelTable& table) {
  constexpr std::array<std::pair<std::int64_t, std::int64_t>, 11> kBothSides{
      {{2, 41}, {3, 42}, {4, 43}, {7, 46}, {8, 47}, {10, 49}, {11, 50}, {12, 51}, {13, 52}, {17, 53}, {18, 54}}};
  constexpr std::ptrdiff_t kFewestPairs = 4, kFewestRegions = 8;
  constexpr std::int64_t kFirstRegion = 1001;
  const auto occurs = [&](std::int64_t value) { return std::find(occurring.begin(), occurring.end(), value) != occurring.end(); };
  const auto all = std::count_if(occurring.begin(), occurring.end(), [](std::int64_t value) { return value != 0; });
  const auto known = std::count_if(occurring.begin(), occurring.end(), [&](std::int64_t value) { return value != 0 && table.find(value) != nullptr; });
  const auto regions = std::count_if(occurring.begin(), occurring.end(), [&](std::int64_t value) { return value >= kFirstRegion && table.find(value) != nullptr; });
  const auto pairs = std::count_if(kBothSides.begin(), kBothSides.end(), [&](const auto& pair) { return occurs(pair.first) && occurs(pair.second); });
  return all > 0 && known * 10 >= all * 9 && (pairs >= kFewestPairs || regions >= kFewestRegions);
}

} // namespace voxlab
