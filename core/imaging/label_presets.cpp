// SPDX-License-Identifier: Apache-2.0
// Label tables that come with the program.
#include "core/imaging/label_freesurfer.h"
#include "core/imaging/label_table.h"
#include <algorithm>
#include <iterator>

namespace voxlab {
namespace {

// Automated Anatomical Labelling (Tzourio-Mazoyer et al., NeuroImage 2002), values 1…116; names as in MRIcron's aal.nii.txt.
constexpr const char* kAalNames[] = {
    "Precentral_L", "Precentral_R", "Frontal_Sup_L", "Frontal_Sup_R", "Frontal_Sup_Orb_L", "Frontal_Sup_Orb_R",
    "Frontal_Mid_L", "Frontal_Mid_R", "Frontal_Mid_Orb_L", "Frontal_Mid_Orb_R", "Frontal_Inf_Oper_L", "Frontal_Inf_Oper_R",
    "Frontal_Inf_Tri_L", "Frontal_Inf_Tri_R", "Frontal_Inf_Orb_L", "Frontal_Inf_Orb_R", "Rolandic_Oper_L",
    "Rolandic_Oper_R", "Supp_Motor_Area_L", "Supp_Motor_Area_R", "Olfactory_L", "Olfactory_R", "Frontal_Sup_Medial_L",
    "Frontal_Sup_Medial_R", "Frontal_Med_Orb_L", "Frontal_Med_Orb_R", "Rectus_L", "Rectus_R", "Insula_L", "Insula_R",
    "Cingulum_Ant_L", "Cingulum_Ant_R", "Cingulum_Mid_L", "Cingulum_Mid_R", "Cingulum_Post_L", "Cingulum_Post_R",
    "Hippocampus_L", "Hippocampus_R", "ParaHippocampal_L", "ParaHippocampal_R", "Amygdala_L", "Amygdala_R", "Calcarine_L",
    "Calcarine_R", "Cuneus_L", "Cuneus_R", "Lingual_L", "Lingual_R", "Occipital_Sup_L", "Occipital_Sup_R",
    "Occipital_Mid_L", "Occipital_Mid_R", "Occipital_Inf_L", "Occipital_Inf_R", "Fusiform_L", "Fusiform_R", "Postcentral_L",
    "Postcentral_R", "Parietal_Sup_L", "Parietal_Sup_R", "Parietal_Inf_L", "Parietal_Inf_R", "SupraMarginal_L",
    "SupraMarginal_R", "Angular_L", "Angular_R", "Precuneus_L", "Precuneus_R", "Paracentral_Lobule_L",
    "Paracentral_Lobule_R", "Caudate_L", "Caudate_R", "Putamen_L", "Putamen_R", "Pallidum_L", "Pallidum_R", "Thalamus_L",
    "Thalamus_R", "Heschl_L", "Heschl_R", "Temporal_Sup_L", "Temporal_Sup_R", "Temporal_Pole_Sup_L", "Temporal_Pole_Sup_R",
    "Temporal_Mid_L", "Temporal_Mid_R", "Temporal_Pole_Mid_L", "Temporal_Pole_Mid_R", "Temporal_Inf_L", "Temporal_Inf_R",
    "Cerebelum_Crus1_L", "Cerebelum_Crus1_R", "Cerebelum_Crus2_L", "Cerebelum_Crus2_R", "Cerebelum_3_L", "Cerebelum_3_R",
    "Cerebelum_4_5_L", "Cerebelum_4_5_R", "Cerebelum_6_L", "Cerebelum_6_R", "Cerebelum_7b_L", "Cerebelum_7b_R",
    "Cerebelum_8_L", "Cerebelum_8_R", "Cerebelum_9_L", "Cerebelum_9_R", "Cerebelum_10_L", "Cerebelum_10_R", "Vermis_1_2",
    "Vermis_3", "Vermis_4_5", "Vermis_6", "Vermis_7", "Vermis_8", "Vermis_9", "Vermis_10",
};

LabelTable aal() {
  LabelTable table{"AAL", {}};
  std::int64_t value = 0;
  for (const char* name : kAalNames) {
    ++value;
    // Both sides of a structure share a hue.
    table.labels.push_back({value, name, generatedColour((value + 1) / 2), true});
  }
  return table;
}

// Values as the challenges define them (BraTS 2018-2022: 1, 2, 4; 2023: 1, 2, 3; 2024 adds 4); they define no colours.
LabelTable brats() {
  return {"BraTS",
          {{1, "Necrotic core (NCR)", {230, 159, 0}},
           {2, "Oedema (ED)", {86, 180, 233}},
           {3, "Enhancing tumour (ET, since 2023)", {213, 94, 0}},
           {4, "Enhancing tumour (ET, to 2022; 2024: resection cavity)", {213, 94, 0}}}};
}

LabelTable tissue() {
  return {"Tissue",
          {{1, "Cerebrospinal fluid", {86, 180, 233}}, {2, "Grey matter", {0, 158, 115}}, {3, "White matter", {240, 228, 66}}}};
}

} // namespace

const std::vector<LabelPreset>& labelPresets() {
  static const std::vector<LabelPreset> presets{
      {"brats", "BraTS tumour"}, {"aal", "AAL regions"}, {"tissue", "Tissue (CSF, grey, white)"}, {"freesurfer", "FreeSurfer (aseg, aparc, a2009s, wmparc)"}};
  return presets;
}

std::optional<LabelTable> labelPreset(std::string_view key) {
  if (key == "brats")
    return brats();
  if (key == "aal")
    return aal();
  if (key == "tissue")
    return tissue();
  if (key == "freesurfer")
    return freeSurferTable();
  return std::nullopt;
}

std::optional<LabelTable> fittingPreset(const std::vector<std::int64_t>& occurring) {
  std::vector<std::int64_t> values;
  std::copy_if(occurring.begin(), occurring.end(), std::back_inserter(values), [](std::int64_t value) { return value != 0; });
  std::sort(values.begin(), values.end());
  if (const LabelTable table = freeSurferTable(); looksLikeFreeSurfer(values, table))
    return table;
  if (values == std::vector<std::int64_t>{1, 2, 4}) // the tumour's label to 2022 left 3 out
    return brats();
  const auto count = static_cast<std::int64_t>(std::size(kAalNames));
  if (static_cast<std::int64_t>(values.size()) == count && values.front() == 1 && values.back() == count)
    return aal();
  return std::nullopt;
}

} // namespace voxlab
