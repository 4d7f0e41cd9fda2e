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
  bool isRescaled = false;    // each was brought to one scale first
  DisplayRange firstRange, secondRange; // most of the voxels measured: robustRange()
  std::vector<std::uint32_t> joint; // counts, kJointBins² over these ranges, first along rows; row 0 holds the lowest of the second
};
inline constexpr int kJointBins = 96;

struct StatisticsRequest {
  std::shared_ptr<const Volume> first, second, mask; // mask may be null: over all voxels
  std::int64_t timePoint = 0; // of those that have several; the last where one has fewer
};
// Fails with Data where no voxel of the second lies on the first's grid.
Result<ViewerStatistics> measureDifference(const StatisticsRequest& request, std::stop_token stop = {});

// Several against one reference, one after another so that no more memory is taken than for two.
struct StatisticsRequests {
  std::shared_ptr<const Volume> reference;
  std::vector<std::shared_ptr<const Volume>> others;
  std::shared_ptr<const Volume> mask;
  std::int64_t timePoint = 0;
  std::vector<DisplayRange> scales; // what becomes 0 and 1 of each, the reference first; empty: they are measured as they are
};

// What was asked for, without holding it.
class MeasuredVolumes {
public:
  MeasuredVolumes() = default;
  explicit MeasuredVolumes(const StatisticsRequests& requests);
  bool isOf(const StatisticsRequests& requests) const;

private:
  std::vector<std::weak_ptr<const Volume>> m_volumes; // the reference first
  std::weak_ptr<const Volume> m_mask;
  bool m_isMasked = false;
  std::int64_t m_timePoint = 0;
  bool m_isRescaled = false;
};

class ViewerStatisticsTask : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  void start(const StatisticsRequests& requests);
  void cancel() { m_work.cancel(); }

signals:
  // How far the colours of all the differences go, the largest of all: the first that is known, long before SSIM.
  void reachFound(double reach);
  void measured(int which, const voxlab::ViewerStatistics& statistics); // index of the other
  void failed(int which, const QString& sentence);

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
