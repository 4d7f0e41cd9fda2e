// SPDX-License-Identifier: Apache-2.0
// How far a mode's volumes are from those that another mode, Baseline as a rule, drew from the same noise for the same masks.
#include "core/evaluation/evaluation_parts.h"
#include "core/imaging/quality.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace voxlab {
namespace {
const double kNone = std::numeric_limits<double>::quiet_NaN();

// The mode that drew the reference, in words.
std::string modeOf(const std::vector<EvaluatedFile>& files) {
  const std::string mode = files.empty() ? "" : jsonGet<std::string>(files.front().info, "mode").value_or("");
  const bool all = std::all_of(files.begin(), files.end(), [&](const EvaluatedFile& file) { return jsonGet<std::string>(file.info, "mode").value_or("") == mode; });
  return mode.empty() || !all ? "the reference" : mode == "baseline" ? "Baseline" : mode;
}

// Of the same case and seed, both of which a draw has to know.
std::vector<std::optional<std::size_t>> equalNoise(const std::vector<EvaluatedFile>& drawn, const std::vector<EvaluatedFile>& reference) {
  auto pairs = pairedBy(drawn, reference);
  for (std::size_t n = 0; n < pairs.size(); ++n)
    if (pairs[n] && (!drawn[n].seed || !reference[*pairs[n]].seed))
      pairs[n] = std::nullopt;
  return pairs;
}

// Equal noise goes another way with other weights or steps: then a difference is not the mode's.
void noteOtherWays(const EqualSeeds& sets, const std::vector<std::optional<std::size_t>>& pairs, QualityResult& result) {
  for (const char* key : {"checkpoint", "weights", "sampler", "steps", "eta", "clamp"})
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      if (!pairs[n])
        continue;
      const Json ours = sets.drawn.files[n].info.value(key, Json()), theirs = sets.reference.files[*pairs[n]].info.value(key, Json());
      if (ours == theirs)
        continue;
      result.notes.push_back("Volumes at equal seeds were drawn with other " + std::string(key) + " (" + compactJson(ours) + " and " + compactJson(theirs) +
                             "), so that the mode is not all that tells them apart.");
      break;
    }
}
} // namespace

void addEqualSeeds(EvaluationContext& c) {
  const EqualSeeds& sets = *c.sets.equalSeeds;
  const std::string to = modeOf(sets.reference.files);
  const GridSize& size = sets.drawn.size;
  const std::string recipe = " to the volume that " + to + " drew from the same seed for the same mask; intensities as stored, data range that of the volume of " + to + ", grid " +
                             std::to_string(size[0]) + " × " + std::to_string(size[1]) + " × " + std::to_string(size[2]);
  QualityMeasure peak{"equal_seed_psnr", "PSNR to " + to + " at equal seeds", "dB", "higher", {}, {}, {}, 0, "pairs",
                      "20·log10(data range / root mean square difference), equal pairs left out," + recipe, {}, {}};
  QualityMeasure structure{"equal_seed_ssim", "3D SSIM to " + to + " at equal seeds", "", "higher", {}, {}, {}, 0, "pairs", ssimRecipe(SsimWindow::Gaussian11) + recipe, {}, {}};
  const auto pairs = equalNoise(sets.drawn.files, sets.reference.files);
  if (std::none_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.has_value(); })) {
    const std::string why = sets.missing.empty() ? "No volume of the reference was drawn from the same seed for the same mask: draw both with one seed, or name another reference." : sets.missing;
    c.refuse(std::move(peak), why);
    return c.refuse(std::move(structure), why);
  }
  noteOtherWays(sets, pairs, c.result);
  std::vector<double> psnr(pairs.size(), kNone), ssims(pairs.size(), kNone);
  inParallel(static_cast<std::int64_t>(pairs.size()), [&](std::int64_t number) {
    const auto n = static_cast<std::size_t>(number);
    if (!pairs[n])
      return;
    const std::vector<float>&drawn = sets.drawn.voxels[n], &reference = sets.reference.voxels[*pairs[n]];
    const double range = referenceRange(reference);
    if (const auto difference = compareVoxels(reference, drawn, range))
      psnr[n] = difference->psnr_db.value_or(kNone);
    ssims[n] = ssim(reference, drawn, size, range).value_or(kNone);
  });
  if (std::all_of(psnr.begin(), psnr.end(), [](double value) { return std::isnan(value); }))
    c.refuse(std::move(peak), "All pairs are equal, which makes the ratio infinite.");
  else
    c.addMean(std::move(peak), psnr, 15);
  c.addMean(std::move(structure), ssims, 16);
}

} // namespace voxlab
