// SPDX-License-Identifier: Apache-2.0
// Runs that drew volumes, and runs that judged volumes, as points of a comparison: one for each set of volumes, whose measures are
// never mixed with another set's.
#pragma once
#include "core/analysis/comparison_set.h"

namespace voxlab {

class VolumePoints {
public:
  // Of a run that judges, before any run is added: what was judged apart stays apart.
  void announceQuality(const ComparisonInput& input);
  // Volumes join those of another run where the way, the device and the network are the same, unless both sets were judged.
  Status addSamples(const ComparisonInput& input, const RunState& state);
  // After all samples. Joins the set that it speaks of, by its id. Old results, which have none: by path, by the run's name, else by the way
  // alone where that names no other set.
  Status addQuality(const ComparisonInput& input);
  std::vector<VolumePoint> take() { return std::move(m_points); }

private:
  VolumePoint& drawnBy(VolumePoint way, const ComparisonInput& input);
  VolumePoint& judgedBy(VolumePoint way, const ComparisonInput& input);

  struct Judged {
    std::filesystem::path volumes, quality; // the folder that was judged, and that of the run that did it
    std::string set;                        // its id; empty: an old result
  };
  std::vector<Judged> m_judged;
  std::vector<VolumePoint> m_points;
};

// Gives every point a name of its own: its way, and of what else is known as much as tells it from the others. Sets of which neither
// mode nor sampler is known are named by their title or folder.
void nameVolumes(std::vector<VolumePoint>& points);

} // namespace voxlab
