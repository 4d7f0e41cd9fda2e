// SPDX-License-Identifier: GPL-3.0-or-later
// How far two volumes are apart, measured on a thread of its own; the newest request wins.
#pragma once
#include "core/imaging/quality.h"
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_volume.h"
#include <QString>

namespace voxlab {

struct ViewerStatistics {
  VoxelDifference difference;
  std::optional<double> ssim; // nullopt where the volumes are too small for its window
  double dataRange = 0;       // R, that PSNR and SSIM take: referenceRange() of the first volume
  double reach = 0;           // differenceReach(): how far the colours of the difference go; 0 where nothing differs
  bool isResampled = false;   // the second was resampled onto the first's grid
  bool isMasked = false;
  DisplayRange firstRange, secondRange; // most of the voxels measured: robustRange()
  std::vector<std::uint32_t> joint; // counts, kJointBins² over these ranges, first along rows; row 0 holds the lowest of the second
};
inline constexpr int kJointBins = 96;

struct StatisticsRequest {
  std::shared_ptr<const Volume> first, second, mask; // mask may be null: over all voxels
};
// Fails with Data where no voxel of the second lies on the first's grid.
Result<ViewerStatistics> measureDifference(const StatisticsRequest& request, std::stop_token stop = {});

class ViewerStatisticsTask : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  void start(const StatisticsRequest& request);
  void cancel() { m_work.cancel(); }

signals:
  void measured(const voxlab::ViewerStatistics& statistics);
  void failed(const QString& sentence);

private:
  NewestWork m_work;
};

// "MAE 3.2 · RMSE 5.1 · PSNR 28.4 dB (R 160) · SSIM 0.93", and the same in sentences that say how it was measured.
QString shortText(const ViewerStatistics& statistics);
QString longText(const ViewerStatistics& statistics);
// The ranges of the two overlap by less than half of what both together span: they are on different scales.
bool haveUnlikeScales(const ViewerStatistics& statistics);
QString scalesText(const ViewerStatistics& statistics, const QString& first, const QString& second); // in sentences; empty where the scales are alike

} // namespace voxlab
