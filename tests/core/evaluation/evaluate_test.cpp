// SPDX-License-Identifier: Apache-2.0
// Whole evaluations of small families of volumes.
#include "core/base/text.h"
#include "core/evaluation/evaluate.h"
#include "core/base/failure.h"
#include "core/diffusion/random.h"
#include "core/imaging/volume_io.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
const std::set<std::string> kEverything{"voxel", "histogram", "fidelity", "nearest", "mmd", "frechet", "diversity"};

// Blobs that differ from subject to subject, in [-1, 1], with noise.
std::vector<float> blob(std::int64_t subject, double noise, std::uint32_t sample = 0) {
  const std::int64_t side = 16;
  std::vector<float> voxels;
  const auto shift = [&](std::uint64_t n) { return 3 * randomUniform({3, Purpose::Evaluation, static_cast<std::uint32_t>(subject), 0}, n) - 1.5; };
  const double cx = 7.5 + shift(0), cy = 7.5 + shift(1), cz = 7.5 + shift(2), radius = 5 + shift(3);
  for (std::int64_t n = 0; n < side * side * side; ++n) {
    const double x = static_cast<double>(n % side) - cx, y = static_cast<double>(n / side % side) - cy, z = static_cast<double>(n / side / side) - cz;
    const double value = 2 / (1 + std::exp(std::sqrt(x * x + y * y + z * z) - radius)) - 1;
    voxels.push_back(static_cast<float>(value + noise * static_cast<double>(randomNormal({5, Purpose::Evaluation, sample, static_cast<std::uint32_t>(subject)}, static_cast<std::uint64_t>(n)))));
  }
  return voxels;
}

VolumeSet family(std::int64_t subjects, double noise, std::int64_t first = 0) {
  VolumeSet set;
  set.size = {16, 16, 16};
  for (std::int64_t n = first; n < first + subjects; ++n) {
    EvaluatedFile file;
    file.caseKey = file.subject = "s" + std::to_string(1000 + n);
    file.file = file.caseKey + ".nii.gz";
    set.files.push_back(file);
    set.voxels.push_back(blob(n, noise));
  }
  return set;
}

EvaluationOrder order(std::set<std::string> measures = kEverything) {
  EvaluationOrder o;
  o.measures = std::move(measures);
  o.resamples = 100;
  return o;
}

double value(const QualityResult& result, const std::string& name) {
  const QualityMeasure* m = result.find(name);
  return m && m->value ? *m->value : std::nan("");
}
} // namespace

TEST(Evaluate, ASetIsAtNoDistanceFromItself) {
  const QualityResult result = evaluate({family(30, 0), family(30, 0), {}, {}}, order());
  EXPECT_EQ(value(result, "mae"), 0);
  EXPECT_NEAR(value(result, "ssim"), 1, 1e-12);
  EXPECT_NEAR(value(result, "frechet"), 0, 1e-9);
  EXPECT_NEAR(value(result, "mmd"), 0, 1e-12);
  EXPECT_EQ(value(result, "histogram_distance"), 0);
  EXPECT_NEAR(value(result, "diversity"), *result.find("diversity")->realBaseline, 1e-12);
  EXPECT_FALSE(result.find("psnr")->value);
  EXPECT_FALSE(result.find("psnr")->refused.empty());
  EXPECT_TRUE(result.notes.empty());
}

TEST(Evaluate, DistancesGrowWithNoise) {
  const VolumeSet real = family(30, 0);
  double mae = 0, frechet = 0, mmd = 0, histogram = 0, ssim = 1;
  for (const double noise : {0.1, 0.3, 0.9}) {
    const QualityResult result = evaluate({family(30, noise), real, {}, {}}, order({"voxel", "histogram", "mmd", "frechet"}));
    EXPECT_GT(value(result, "mae"), mae);
    EXPECT_GT(value(result, "frechet"), frechet);
    EXPECT_GT(value(result, "mmd"), mmd);
    EXPECT_GT(value(result, "histogram_distance"), histogram);
    EXPECT_LT(value(result, "ssim"), ssim);
    mae = value(result, "mae");
    frechet = value(result, "frechet");
    mmd = value(result, "mmd");
    histogram = value(result, "histogram_distance");
    ssim = value(result, "ssim");
  }
  EXPECT_GT(frechet, *evaluate({family(30, 0, 100), real, {}, {}}, order({"frechet"})).find("frechet")->value);
}

// A Gaussian kernel of sets that lie far apart is 0 whatever the distance: such a number must not be compared without a word.
TEST(Evaluate, AnMmdThatHasReachedItsEndSaysSo) {
  const VolumeSet real = family(30, 0);
  const auto notesOf = [&](double noise, double bandwidth) {
    EvaluationOrder asked = order({"mmd"});
    asked.bandwidth = bandwidth;
    std::string all;
    for (const std::string& note : evaluate({family(30, noise), real, {}, {}}, asked).notes)
      all += note;
    return all;
  };
  EXPECT_NE(notesOf(3, 0).find("MMD² has reached its end"), std::string::npos);
  EXPECT_EQ(notesOf(3, 1000), "");
}

TEST(Evaluate, WhatHasNoValueSaysWhy) {
  VolumeSet small = family(3, 0.1);
  small.size = {5, 5, 5};
  small.notes = {"3 voxels of a.nii.gz are no numbers; the lowest value was used."};
  for (auto& voxels : small.voxels)
    voxels.resize(125);
  const QualityResult result = evaluate({small, small, small, {{"elsewhere", "none.nii.gz"}}}, order({"voxel", "fidelity"}));
  EXPECT_NE(result.find("ssim")->refused.find("11 voxels"), std::string::npos) << result.find("ssim")->refused;
  EXPECT_NE(result.find("foreground_dice")->refused.find("None of the masks belongs"), std::string::npos);
  EXPECT_EQ(result.notes, small.notes) << "once";
}

TEST(Evaluate, DistributionsAreRefusedBelowThirtySubjects) {
  VolumeSet copies = family(29, 0);
  copies.files.push_back(copies.files.front()); // a copy of a subject does not count
  copies.voxels.push_back(copies.voxels.front());
  const QualityResult result = evaluate({copies, family(30, 0), {}, {}}, order());
  for (const char* name : {"mmd", "frechet", "diversity"}) {
    ASSERT_TRUE(result.find(name)) << name;
    EXPECT_FALSE(result.find(name)->value) << name;
    EXPECT_NE(result.find(name)->refused.find("30"), std::string::npos) << name;
  }
  EXPECT_TRUE(result.find("mae")->value);
}

TEST(Evaluate, EveryMeasureSaysHowItWasMade) {
  const QualityResult result = evaluate({family(30, 0.2), family(32, 0), {}, {}}, order());
  ASSERT_GE(result.measures.size(), 11u);
  for (const QualityMeasure& m : result.measures) {
    EXPECT_FALSE(m.recipe.empty()) << m.name;
    EXPECT_NE(m.value.has_value(), !m.refused.empty()) << m.name;
    if (m.value && m.interval) {
      EXPECT_LE(m.interval->low, *m.value + 1e-12) << m.name;
      EXPECT_GE(m.interval->high, *m.value - 1e-12) << m.name;
    }
  }
  EXPECT_TRUE(result.find("frechet")->realBaseline);
  EXPECT_EQ(result.recipe.at("mmd").at("kernel"), "gaussian");
  const double bandwidth = result.recipe.at("mmd").at("bandwidth").get<double>();
  EXPECT_GT(bandwidth, 0);
  EXPECT_NE(result.find("mmd")->recipe.find("Gaussian kernel, bandwidth " + formatSignificant(bandwidth, 4) + ", the median distance between real volumes."), std::string::npos) << result.find("mmd")->recipe;
  EXPECT_EQ(result.volumes.size(), 30u);
  EXPECT_TRUE(result.volumes.front().values.contains("ssim"));
  const auto again = qualityFromJson(toJson(result));
  ASSERT_TRUE(again);
  EXPECT_EQ(toJson(*again), toJson(result));
}

TEST(Evaluate, CopiesOfTrainingVolumesAreFound) {
  const VolumeSet training = family(10, 0);
  const QualityResult copied = evaluate({family(5, 0.001), {}, training, {}}, order({"nearest"}));
  EXPECT_EQ(value(copied, "nearest_training_share"), 1);
  const QualityResult fresh = evaluate({family(5, 0, 200), {}, training, {}}, order({"nearest"}));
  EXPECT_EQ(value(fresh, "nearest_training_share"), 0);
  EXPECT_GT(value(fresh, "nearest_training"), 5 * value(copied, "nearest_training"));
}

// Two of Baseline's volumes moved by 0.05 and one that is equal, paired by mask and seed whatever their order. By hand: 20·log10(range / 0.05),
// where Baseline's volume reaches from its least to its largest voxel.
TEST(Evaluate, EqualSeedsArePairedAndMeasuredAsStored) {
  const auto drawnBy = [](const char* mode, std::vector<std::pair<std::int64_t, std::uint64_t>> cases) {
    VolumeSet set;
    set.size = {16, 16, 16};
    for (const auto& [subject, seed] : cases) {
      EvaluatedFile file;
      file.caseKey = file.subject = "s" + std::to_string(subject);
      file.file = file.caseKey + "_seed" + std::to_string(seed) + ".nii.gz";
      file.seed = seed;
      file.info = {{"mode", mode}, {"sampler", "ddim"}, {"steps", 50}};
      set.files.push_back(file);
      set.voxels.push_back(blob(subject, 0.1, static_cast<std::uint32_t>(seed)));
    }
    return set;
  };
  EqualSeeds sets{drawnBy("bf16", {{1, 7}, {2, 7}, {2, 8}, {3, 7}}), drawnBy("baseline", {{2, 8}, {1, 7}, {2, 7}, {3, 9}}), ""};
  for (const std::size_t moved : {0, 1})
    for (float& voxel : sets.drawn.voxels[moved])
      voxel += 0.05f;
  double expected = 0;
  for (const std::size_t of : {1, 2}) {
    const auto [low, high] = std::minmax_element(sets.reference.voxels[of].begin(), sets.reference.voxels[of].end());
    expected += 20 * std::log10(static_cast<double>(*high - *low) / 0.05) / 2;
  }
  const EvaluationSets all{sets.drawn, {}, {}, {}, sets};
  const QualityResult result = evaluate(all, order({"equal_seeds"}));
  EXPECT_NEAR(value(result, "equal_seed_psnr"), expected, 1e-4);
  EXPECT_EQ(result.find("equal_seed_psnr")->count, 2); // the equal pair's is infinite
  EXPECT_EQ(result.find("equal_seed_ssim")->count, 3); // seed 7 of the fourth has no partner
  EXPECT_LT(value(result, "equal_seed_ssim"), 1);
  EXPECT_EQ(result.find("equal_seed_psnr")->title, "PSNR to Baseline at equal seeds");
  EXPECT_NE(result.find("equal_seed_ssim")->recipe.find("Baseline drew from the same seed for the same mask"), std::string::npos);
  EXPECT_TRUE(result.volumes[0].values.contains("equal_seed_ssim"));
  EXPECT_FALSE(result.volumes[3].values.contains("equal_seed_ssim"));
  EXPECT_TRUE(result.notes.empty());
}

TEST(Evaluate, EqualSeedsSayWhatElseDiffersAndWhatIsMissing) {
  EqualSeeds sets{family(2, 0.1), family(2, 0), ""};
  for (VolumeSet* set : {&sets.drawn, &sets.reference})
    for (EvaluatedFile& file : set->files)
      file.info = {{"mode", "opt1"}, {"steps", set == &sets.drawn ? 20 : 50}};
  const auto measure = [&] { return evaluate({sets.drawn, {}, {}, {}, sets}, order({"equal_seeds"})); };
  EXPECT_NE(measure().find("equal_seed_ssim")->refused.find("same seed"), std::string::npos); // none knows its seed
  for (VolumeSet* set : {&sets.drawn, &sets.reference})
    for (EvaluatedFile& file : set->files)
      file.seed = 3;
  const QualityResult result = measure();
  EXPECT_TRUE(result.find("equal_seed_ssim")->value);
  EXPECT_EQ(result.find("equal_seed_ssim")->title, "3D SSIM to opt1 at equal seeds");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("other steps (20 and 50)"), std::string::npos) << result.notes[0];
  sets.reference = {};
  sets.missing = "There is nothing at runs/sample_baseline.";
  EXPECT_EQ(measure().find("equal_seed_psnr")->refused, sets.missing);
  EXPECT_EQ(evaluate({family(2, 0), {}, {}, {}}, order({"equal_seeds"})).find("equal_seed_psnr"), nullptr) << "nobody named a reference";
}

TEST(Evaluate, CanBeStopped) {
  EvaluationOrder o = order();
  o.tell = [](const std::string&, double) { return false; };
  EXPECT_THROW(evaluate({family(3, 0), {}, {}, {}}, o), Failure);
}

TEST(VolumeFiles, CopiesBelongToTheirSubject) {
  EXPECT_EQ(withoutCopyNumber("colin27_aug03"), "colin27");
  EXPECT_EQ(withoutCopyNumber("case_7_flip_seed12"), "case_7");
  EXPECT_EQ(withoutCopyNumber("sub-01_ses-02"), "sub-01");
  EXPECT_EQ(withoutCopyNumber("case_7"), "case_7");
  EXPECT_EQ(withoutCopyNumber("august"), "august");
}

TEST(VolumeFiles, SamplesArePairedWithTheirMasksCase) {
  const TemporaryFolder folder;
  Volume volume;
  volume.header.grid.size = {12, 12, 12};
  volume.voxels.assign(12 * 12 * 12, 0.5f);
  volume.voxels.front() = -1;
  for (const char* name : {"real/a_aug01.nii.gz", "real/b_aug01.nii.gz", "masks/a_aug01.nii.gz", "made/mask_a_seed7.nii.gz", "made/mask_a_seed7_steps/0001_t0249.nii.gz"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    ASSERT_TRUE(writeNifti(folder / name, volume));
  }
  ASSERT_TRUE(writeJsonFile(folder / "made/mask_a_seed7.json", {{"sampler", "ddim"}, {"seed", 7}, {"mask", (folder / "masks/a_aug01.nii.gz").string()}}));
  const auto made = evaluatedFiles(folder / "made", ""), real = evaluatedFiles(folder / "real", "");
  ASSERT_TRUE(made && real);
  ASSERT_EQ(made->size(), 1u); // not the trajectory
  EXPECT_EQ(made->front().subject, "a");
  EXPECT_EQ(made->front().seed, 7u);
  const auto pairs = pairedBy(*made, *real);
  ASSERT_TRUE(pairs.front());
  EXPECT_EQ((*real)[*pairs.front()].caseKey, "a_aug01");
  const auto set = loadVolumes(*made, {}, 0);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->size, (GridSize{12, 12, 12}));
  EXPECT_FALSE(loadVolumes(*made, {}, 1000)); // does not fit
  EXPECT_FALSE(evaluatedFiles(folder / "absent", ""));
}
