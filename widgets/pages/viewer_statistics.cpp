// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_statistics.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

Volume onGridOf(const Volume& volume, const Grid& grid, Interpolation interpolation) {
  return resampled(volume, grid, interpolation, interpolation == Interpolation::Linear ? NAN : 0.0f);
}

// Of the voxels that are measured: where there is a mask, air is not.
DisplayRange rangeOf(std::span<const float> values, VoxelMask mask) {
  if (mask.empty())
    return robustRange(histogramOf(values));
  std::vector<float> inside;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (mask[i])
      inside.push_back(values[i]);
  return robustRange(histogramOf(inside));
}

std::vector<std::uint32_t> jointHistogram(std::span<const float> a, std::span<const float> b, VoxelMask mask, DisplayRange first, DisplayRange second) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(kJointBins) * kJointBins, 0);
  const auto bin = [](float v, const DisplayRange& r) {
    return static_cast<int>(std::clamp((v - r.low) / (r.high - r.low) * kJointBins, 0.0, kJointBins - 1.0));
  };
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((mask.empty() || mask[i]) && std::isfinite(a[i]) && std::isfinite(b[i]))
      ++counts[static_cast<std::size_t>(bin(b[i], second)) * kJointBins + bin(a[i], first)];
  return counts;
}

} // namespace

Result<ViewerStatistics> measureDifference(const StatisticsRequest& request, std::stop_token stop) {
  ViewerStatistics result;
  const Grid& grid = request.first->grid();
  const auto first = timePointOf(*request.first, 0);
  Volume moved;
  std::span<const float> second = timePointOf(*request.second, 0);
  if (!sameGrid(grid, request.second->grid())) {
    result.isResampled = true;
    moved = onGridOf(*request.second, grid, Interpolation::Linear);
    second = timePointOf(moved, 0);
  }
  std::vector<std::uint8_t> inside;
  if (request.mask) {
    result.isMasked = true;
    const Volume mask = sameGrid(grid, request.mask->grid()) ? *request.mask : onGridOf(*request.mask, grid, Interpolation::Nearest);
    for (const float v : timePointOf(mask, 0))
      inside.push_back(v != 0);
  }
  result.dataRange = referenceRange(first);
  const auto difference = compareVoxels(first, second, result.dataRange, inside);
  if (!difference)
    return fail(difference.error());
  result.difference = *difference;
  result.reach = differenceReach(first, second, inside);
  result.firstRange = rangeOf(first, inside);
  result.secondRange = rangeOf(second, inside);
  result.joint = jointHistogram(first, second, inside, result.firstRange, result.secondRange);
  if (stop.stop_requested())
    return fail(ExitCode::Stopped, "stopped");
  const auto background = static_cast<float>(histogramOf(first).minimum);
  std::vector<float> finite(second.begin(), second.end()); // SSIM takes no gaps: outside counts as background
  for (float& v : finite)
    v = std::isfinite(v) ? v : background;
  if (const auto similarity = ssim(first, finite, grid.size, result.dataRange, SsimWindow::Gaussian11, inside))
    result.ssim = *similarity;
  return result;
}

void ViewerStatisticsTask::start(const StatisticsRequest& request) {
  m_work.start([this, request](std::stop_token stop, const auto&) -> NewestWork::Report {
    return [this, result = measureDifference(request, stop)] {
      if (result)
        emit measured(*result);
      else
        emit failed(QString::fromStdString(result.error().message));
    };
  });
}

QString shortText(const ViewerStatistics& s) {
  const auto number = [](double value) { return QString::fromStdString(formatSignificant(value)); };
  QStringList parts{QCoreApplication::translate("Viewer", "MAE %1").arg(number(s.difference.mae)),
                    QCoreApplication::translate("Viewer", "RMSE %1").arg(number(s.difference.rmse)),
                    s.difference.psnr_db ? QCoreApplication::translate("Viewer", "PSNR %1 dB (R %2)").arg(QString::number(*s.difference.psnr_db, 'f', 1), number(s.dataRange))
                                         : QCoreApplication::translate("Viewer", "PSNR ∞")};
  if (s.ssim)
    parts << QCoreApplication::translate("Viewer", "SSIM %1").arg(*s.ssim, 0, 'f', 3);
  return parts.join(QStringLiteral("  ·  "));
}

QString longText(const ViewerStatistics& s) {
  const auto text = [](const char* source) { return QCoreApplication::translate("Viewer", source); };
  QStringList lines{shortText(s)};
  lines << text("Over %1 voxels %2, second minus first; mean difference %3, largest %4.")
               .arg(QString::fromStdString(formatCount(static_cast<std::int64_t>(s.difference.voxels))),
                    s.isMasked ? text("inside the labels") : text("of the whole volume"), QString::fromStdString(formatSignificant(s.difference.bias)),
                    QString::fromStdString(formatSignificant(s.difference.largest)));
  lines << text("PSNR and SSIM take R, the data range of the first volume (the reference, which is subtracted): its largest minus its smallest voxel, %1.").arg(QString::fromStdString(formatSignificant(s.dataRange)));
  lines << (s.ssim ? QString::fromUtf8(ssimRecipe(SsimWindow::Gaussian11)) : text("SSIM needs at least 11 voxels each way."));
  if (s.isResampled)
    lines << text("The second volume was resampled onto the first one's grid (linear).");
  return lines.join(QLatin1Char('\n'));
}

bool haveUnlikeScales(const ViewerStatistics& s) {
  const double common = std::min(s.firstRange.high, s.secondRange.high) - std::max(s.firstRange.low, s.secondRange.low);
  const double spanned = std::max(s.firstRange.high, s.secondRange.high) - std::min(s.firstRange.low, s.secondRange.low);
  constexpr double kAlike = 0.5;
  return s.difference.voxels > 0 && common < kAlike * spanned;
}

QString scalesText(const ViewerStatistics& s, const QString& first, const QString& second) {
  if (!haveUnlikeScales(s))
    return {};
  const auto number = [](double value) { return QString::fromStdString(formatSignificant(value)).replace(QLatin1Char('-'), QChar(0x2212)); };
  const auto range = [&](const DisplayRange& r) { return QCoreApplication::translate("Viewer", "%1 to %2").arg(number(r.low), number(r.high)); };
  return QCoreApplication::translate("Viewer", "The two have different scales: most of %1 lies in %2, most of %3 in %4 (0.2nd to 99.5th percentile; they overlap by less than half of what "
                                               "both span). The figures and the difference then tell of the scales more than of the anatomy: bring both to one scale before you judge them.")
      .arg(first, range(s.firstRange), second, range(s.secondRange));
}

} // namespace voxlab
