// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_statistics.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

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

std::span<const float> voxelsAt(const Volume& volume, std::int64_t timePoint) {
  const std::int64_t last = std::max<std::int64_t>(1, volume.header.timePoints * volume.header.components) - 1;
  return timePointOf(volume, std::min(timePoint, last));
}

// The second's voxels on the first's grid.
class Moved {
public:
  Moved(const Volume& volume, const Grid& grid, std::int64_t timePoint, const std::optional<DisplayRange>& scale) : m_isResampled(!sameGrid(grid, volume.grid())), m_voxels(voxelsAt(volume, timePoint)) {
    if (m_isResampled) {
      Volume one;
      one.header = volume.header;
      one.header.timePoints = one.header.components = 1;
      one.voxels.assign(m_voxels.begin(), m_voxels.end());
      m_volume = onGridOf(one, grid, Interpolation::Linear);
    } else if (scale)
      m_volume.voxels.assign(m_voxels.begin(), m_voxels.end());
    if (scale)
      for (float& v : m_volume.voxels)
        v = static_cast<float>(scale->shareOf(v));
    if (m_isResampled || scale)
      m_voxels = m_volume.voxels;
  }
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;
  std::span<const float> voxels() const { return m_voxels; }
  bool isResampled() const { return m_isResampled; }

private:
  bool m_isResampled;
  Volume m_volume;
  std::span<const float> m_voxels;
};

std::vector<std::uint8_t> insideOf(const std::shared_ptr<const Volume>& mask, const Grid& grid) {
  std::vector<std::uint8_t> inside;
  if (!mask)
    return inside;
  const Volume moved = sameGrid(grid, mask->grid()) ? Volume() : onGridOf(*mask, grid, Interpolation::Nearest);
  const std::span<const float> values = timePointOf(moved.voxels.empty() ? *mask : moved, 0);
  inside.reserve(values.size());
  for (const float v : values)
    inside.push_back(v != 0);
  return inside;
}

Result<ViewerStatistics> figuresOf(const Volume& reference, std::span<const float> first, const Moved& moved, const std::vector<std::uint8_t>& inside, double reach, const std::stop_token& stop) {
  ViewerStatistics result;
  const std::span<const float> second = moved.voxels();
  result.isResampled = moved.isResampled();
  result.isMasked = !inside.empty();
  result.dataRange = referenceRange(first);
  const auto difference = compareVoxels(first, second, result.dataRange, inside);
  if (!difference)
    return fail(difference.error());
  result.difference = *difference;
  result.reach = reach;
  result.firstRange = rangeOf(first, inside);
  result.secondRange = rangeOf(second, inside);
  result.joint = jointHistogram(first, second, inside, result.firstRange, result.secondRange);
  if (stop.stop_requested())
    return fail(ExitCode::Stopped, "stopped");
  const auto background = static_cast<float>(histogramOf(first).minimum);
  std::vector<float> finite(second.begin(), second.end()); // SSIM takes no gaps: outside counts as background
  for (float& v : finite)
    v = std::isfinite(v) ? v : background;
  if (const auto similarity = ssim(first, finite, reference.grid().size, result.dataRange, SsimWindow::Gaussian11, inside))
    result.ssim = *similarity;
  return result;
}

} // namespace

Result<ViewerStatistics> measureDifference(const StatisticsRequest& request, std::stop_token stop) {
  const std::span<const float> first = voxelsAt(*request.first, request.timePoint);
  const Moved moved(*request.second, request.first->grid(), request.timePoint, std::nullopt);
  const auto inside = insideOf(request.mask, request.first->grid());
  return figuresOf(*request.first, first, moved, inside, differenceReach(first, moved.voxels(), inside), stop);
}

MeasuredVolumes::MeasuredVolumes(const StatisticsRequests& requests) : m_volumes{requests.reference}, m_mask(requests.mask), m_isMasked(requests.mask != nullptr), m_timePoint(requests.timePoint), m_isRescaled(!requests.scales.empty()) {
  m_volumes.insert(m_volumes.end(), requests.others.begin(), requests.others.end());
}

bool MeasuredVolumes::isOf(const StatisticsRequests& requests) const {
  const auto isThat = [](const std::weak_ptr<const Volume>& known, const std::shared_ptr<const Volume>& asked) { return known.lock() == asked; };
  return !m_volumes.empty() && isThat(m_volumes.front(), requests.reference) && isThat(m_mask, requests.mask) && m_isMasked == (requests.mask != nullptr) && m_timePoint == requests.timePoint && m_isRescaled == !requests.scales.empty() &&
         std::equal(m_volumes.begin() + 1, m_volumes.end(), requests.others.begin(), requests.others.end(), isThat);
}

void ViewerStatisticsTask::start(const StatisticsRequests& requests) {
  m_work.start([this, requests](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    const Volume& reference = *requests.reference;
    const auto scaleOf = [&requests](std::size_t which) { return which < requests.scales.size() ? std::optional(requests.scales[which]) : std::nullopt; };
    const Moved own(reference, reference.grid(), requests.timePoint, scaleOf(0));
    const std::span<const float> first = own.voxels();
    const auto inside = insideOf(requests.mask, reference.grid());
    std::unique_ptr<Moved> moved; // one at a time
    std::vector<double> reaches;
    const auto take = [&](std::size_t which) {
      moved.reset();
      moved = std::make_unique<Moved>(*requests.others[which], reference.grid(), requests.timePoint, scaleOf(which + 1));
    };
    for (std::size_t i = 0; i < requests.others.size(); ++i) {
      take(i);
      reaches.push_back(differenceReach(first, moved->voxels(), inside));
      if (stop.stop_requested())
        return {};
    }
    tell([this, reach = reaches.empty() ? 0.0 : *std::max_element(reaches.begin(), reaches.end())] { emit reachFound(reach); });
    for (std::size_t i = 0; i < requests.others.size() && !stop.stop_requested(); ++i) {
      if (requests.others.size() > 1)
        take(i);
      tell([this, which = static_cast<int>(i), result = figuresOf(reference, first, *moved, inside, reaches[i], stop), isRescaled = !requests.scales.empty()]() mutable {
        if (result) {
          result->isRescaled = isRescaled;
          emit measured(which, *result);
        } else
          emit failed(which, QString::fromStdString(result.error().message));
      });
    }
    return {};
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
  if (s.isMasked)
    parts << QCoreApplication::translate("Viewer", "inside the labels");
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
  if (s.isRescaled)
    lines << text("Each volume was brought to one scale first: the 0.5th percentile of all its voxels is 0, the 99.5th is 1.");
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
                                               "both span). The figures and the difference then tell of the scales more than of the anatomy: bring both to one scale (“One scale” in the bar) before you judge them.")
      .arg(first, range(s.firstRange), second, range(s.secondRange));
}

} // namespace voxlab
