// SPDX-License-Identifier: Apache-2.0
// Label tables that come with the program.
#include "core/imaging/label_table.h"

namespace voxlab {
namespace {

// Automated Anatomical Labelling (Tzourio-Mazoyer et al., NeuroImage 2002), values 1…116.
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

LabelTable brats() {
  return {"BraTS",
          {{1, "Necrotic core (NCR)", {230, 159, 0}},
           {2, "Oedema (ED)", {86, 180, 233}},
           {3, "Enhancing tumour (ET, since 2023)", {213, 94, 0}},
           {4, "Enhancing tumour (ET, to 2022)", {213, 94, 0}}}};
}

LabelTable tissue() {
  return {"Tissue",
          {{1, "Cerebrospinal fluid", {86, 180, 233}}, {2, "Grey matter", {0, 158, 115}}, {3, "White matter", {240, 228, 66}}}};
}

// Values, names and colours of FreeSurfer's colour table for the structures of aseg.mgz.
LabelTable freeSurferAseg() {
  return {"FreeSurfer aseg", {
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
      {26, "Left-Accumbens-area", {255, 165, 0}},
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
      {52, "Right-Pallidum", {12, 48, 255}},
      {53, "Right-Hippocampus", {220, 216, 20}},
      {54, "Right-Amygdala", {103, 255, 255}},
      {58, "Right-Accumbens-area", {255, 165, 0}},
      {60, "Right-VentralDC", {165, 42, 42}},
      {62, "Right-vessel", {160, 32, 240}},
      {63, "Right-choroid-plexus", {0, 200, 200}},
      {72, "5th-Ventricle", {120, 190, 150}},
      {77, "WM-hypointensities", {200, 70, 255}},
      {85, "Optic-Chiasm", {234, 169, 30}},
      {251, "CC_Posterior", {0, 0, 64}},
      {252, "CC_Mid_Posterior", {0, 0, 112}},
      {253, "CC_Central", {0, 0, 160}},
      {254, "CC_Mid_Anterior", {0, 0, 208}},
      {255, "CC_Anterior", {0, 0, 255}},
  }};
}

} // namespace

const std::vector<LabelPreset>& labelPresets() {
  static const std::vector<LabelPreset> presets{
      {"brats", "BraTS tumour"}, {"aal", "AAL regions"}, {"tissue", "Tissue (CSF, grey, white)"}, {"freesurfer", "FreeSurfer aseg"}};
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
    return freeSurferAseg();
  return std::nullopt;
}

} // namespace voxlab
