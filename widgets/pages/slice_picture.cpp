// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/slice_picture.h"
#include "core/imaging/volume_io.h"
#include "rendering/colour_maps.h"
#include "widgets/plots/theme_colours.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kShortEdge = 160; // pixels; the strip shows them smaller or equal
constexpr std::size_t kSamples = 200000;

// Which grid axis runs along a world axis (0 right, 1 anterior, 2 superior), and whether it runs the same way.
struct AxisMatch {
  int gridAxis = 0;
  bool sameWay = true;
  double spacing = 1;
};

std::array<AxisMatch, 3> matchAxes(const Affine& affine) {
  std::array<AxisMatch, 3> matches;
  std::array<bool, 3> worldTaken{}, gridTaken{};
  for (int round = 0; round < 3; ++round) { // the clearest pair first
    double best = -1;
    std::size_t bestWorld = 0, bestGrid = 0;
    for (std::size_t world = 0; world < 3; ++world)
      for (std::size_t grid = 0; grid < 3; ++grid)
        if (const double strength = std::abs(affine[world][grid]); !worldTaken[world] && !gridTaken[grid] && strength > best) {
          best = strength;
          bestWorld = world;
          bestGrid = grid;
        }
    worldTaken[bestWorld] = gridTaken[bestGrid] = true;
    const double length = std::hypot(affine[0][bestGrid], affine[1][bestGrid], affine[2][bestGrid]);
    matches[bestWorld] = {static_cast<int>(bestGrid), affine[bestWorld][bestGrid] >= 0, length > 0 ? length : 1};
  }
  return matches;
}

struct Window {
  float low = 0, high = 1;
};

Window windowOf(const std::vector<float>& voxels, std::size_t count) {
  std::vector<float> sample;
  const std::size_t stride = std::max<std::size_t>(1, count / kSamples);
  for (std::size_t i = 0; i < count; i += stride)
    if (std::isfinite(voxels[i]))
      sample.push_back(voxels[i]);
  if (sample.empty())
    return {};
  const auto quantile = [&](double q) {
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(sample.size() - 1));
    std::nth_element(sample.begin(), at, sample.end());
    return *at;
  };
  const Window window{quantile(0.01), quantile(0.995)};
  return window.high > window.low ? window : Window{window.low, window.low + 1};
}

struct View {
  AxisMatch across, up, through;
};

View viewOf(const Affine& affine, SlicePlane plane) {
  const auto axes = matchAxes(affine);
  switch (plane) {
  case SlicePlane::Coronal: return {axes[0], axes[2], axes[1]};
  case SlicePlane::Sagittal: return {axes[1], axes[2], axes[0]};
  case SlicePlane::Axial: break;
  }
  return {axes[0], axes[1], axes[2]};
}
int greyOf(float value, const Window& window) {
  return std::isfinite(value) ? std::clamp(static_cast<int>(255 * (value - window.low) / (window.high - window.low)), 0, 255) : 0;
}

QRgb signedColour(float value, double reach) {
  if (!std::isfinite(value))
    return qRgb(128, 128, 128);
  const double share = std::clamp(value / reach, -1.0, 1.0);
  const Rgb colour = colourTable(ColourMap::BlueWhiteRed)[static_cast<std::size_t>(std::lround(127.5 * (1 + share)))];
  return qRgb(colour.r, colour.g, colour.b);
}

// The middle slice, a colour for each voxel's index, square in millimetres.
template <class Colour> QImage paintSlice(const Grid& grid, SlicePlane plane, Colour colourOf) {
  const auto& size = grid.size;
  const View view = viewOf(grid.affine, plane);
  const auto extent = [&](const AxisMatch& axis) { return static_cast<int>(size[static_cast<std::size_t>(axis.gridAxis)]); };
  const int width = extent(view.across), height = extent(view.up);
  QImage image(width, height, QImage::Format_RGB32);
  std::array<std::int64_t, 3> at{};
  at[static_cast<std::size_t>(view.through.gridAxis)] = extent(view.through) / 2;
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    at[static_cast<std::size_t>(view.up.gridAxis)] = view.up.sameWay ? height - 1 - y : y;
    for (int x = 0; x < width; ++x) {
      // Radiological: the subject's left on the right of the picture; sagittal slices face left.
      at[static_cast<std::size_t>(view.across.gridAxis)] = view.across.sameWay ? width - 1 - x : x;
      line[x] = colourOf(static_cast<std::size_t>(at[0] + size[0] * (at[1] + size[1] * at[2])));
    }
  }
  const double widthMm = width * view.across.spacing, heightMm = height * view.up.spacing;
  const double scale = kShortEdge / std::min(widthMm, heightMm);
  return image.scaled(std::max(1, static_cast<int>(std::lround(widthMm * scale))), std::max(1, static_cast<int>(std::lround(heightMm * scale))),
                      Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}
} // namespace

QImage middleSlice(const Volume& volume, SlicePlane plane, const Volume* labels) {
  const std::size_t count = static_cast<std::size_t>(volume.grid().voxelCount());
  if (count == 0 || volume.voxels.size() < count)
    return {};
  const bool hasLabels = labels && labels->grid().size == volume.grid().size && labels->voxels.size() >= count;
  const Window window = windowOf(volume.voxels, count);
  return paintSlice(volume.grid(), plane, [&](std::size_t index) {
    const int grey = greyOf(volume.voxels[index], window);
    const int label = hasLabels ? static_cast<int>(labels->voxels[index]) : 0;
    if (label <= 0)
      return qRgb(grey, grey, grey);
    const QColor colour = categoricalColour(label - 1, ThemeKind::Dark);
    return qRgb((grey * 6 + colour.red() * 4) / 10, (grey * 6 + colour.green() * 4) / 10, (grey * 6 + colour.blue() * 4) / 10);
  });
}

Result<SliceDifference> sliceDifference(const Volume& first, const Volume& second) {
  const std::size_t count = static_cast<std::size_t>(first.grid().voxelCount());
  if (count == 0 || first.grid().size != second.grid().size || first.voxels.size() < count || second.voxels.size() < count)
    return fail(ExitCode::Data, "The two volumes do not have the same voxels, so they have no difference.");
  const Window window = windowOf(first.voxels, count);
  const std::span<const float> reference = std::span(first.voxels).first(count), other = std::span(second.voxels).first(count);
  std::vector<float> differences(count);
  for (std::size_t i = 0; i < count; ++i)
    differences[i] = other[i] - reference[i];
  SliceDifference result;
  result.reach = differenceReach(reference, other);
  result.dataRange = referenceRange(reference);
  const auto statistics = compareVoxels(reference, other, result.dataRange);
  if (!statistics)
    return fail(statistics.error());
  result.statistics = *statistics;
  if (statistics->largest == 0)
    result.reach = 1; // nothing differs: all white
  for (const SlicePlane plane : {SlicePlane::Axial, SlicePlane::Coronal, SlicePlane::Sagittal}) {
    const auto at = static_cast<std::size_t>(plane);
    const auto grey = [&](const std::vector<float>& voxels) {
      return paintSlice(first.grid(), plane, [&](std::size_t index) {
        const int value = greyOf(voxels[index], window);
        return qRgb(value, value, value);
      });
    };
    result.first[at] = grey(first.voxels);
    result.second[at] = grey(second.voxels);
    result.difference[at] = paintSlice(first.grid(), plane, [&](std::size_t index) { return signedColour(differences[index], result.reach); });
  }
  return result;
}

Result<SliceDifference> readSliceDifference(const std::filesystem::path& first, const std::filesystem::path& second) {
  ReadOptions options;
  options.timePoint = 0;
  const auto one = readVolume(first, options), other = readVolume(second, options);
  if (!one || !other)
    return fail(one ? other.error() : one.error());
  return sliceDifference(*one, *other);
}

Result<SlicePictures> readSlicePictures(const std::filesystem::path& file, const std::filesystem::path& labelFile) {
  ReadOptions options;
  options.timePoint = 0;
  const auto volume = readVolume(file, options);
  if (!volume)
    return fail(volume.error());
  Result<Volume> labels = fail(ExitCode::Data, "no labels");
  if (!labelFile.empty())
    labels = readVolume(labelFile, options);
  SlicePictures pictures;
  for (const SlicePlane plane : {SlicePlane::Axial, SlicePlane::Coronal, SlicePlane::Sagittal})
    pictures.planes[static_cast<std::size_t>(plane)] = middleSlice(*volume, plane, labels ? &*labels : nullptr);
  return pictures;
}

} // namespace voxlab
