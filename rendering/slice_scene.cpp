// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/slice_scene.h"
#include "rendering/parallel.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>


namespace voxlab {
namespace {

constexpr std::uint32_t kBlack = 0xff000000u;

constexpr std::uint32_t packed(Rgb c) { return kBlack | static_cast<std::uint32_t>(c.r) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.b; }

// share 0…256 of the upper colour
inline std::uint32_t mixed(std::uint32_t lower, std::uint32_t upper, std::uint32_t share) {
  const std::uint32_t rest = 256 - share;
  const std::uint32_t rb = ((lower & 0xff00ffu) * rest + (upper & 0xff00ffu) * share) >> 8 & 0xff00ffu;
  const std::uint32_t g = ((lower & 0x00ff00u) * rest + (upper & 0x00ff00u) * share) >> 8 & 0x00ff00u;
  return kBlack | rb | g;
}

std::uint32_t shareOf(double opacity) { return static_cast<std::uint32_t>(std::lround(std::clamp(opacity, 0.0, 1.0) * 256)); }

Picture blank(const SliceGeometry& plane) {
  return {plane.width, plane.height, std::vector<std::uint32_t>(static_cast<std::size_t>(plane.width) * plane.height, kBlack)};
}

template <class F> void forEachRow(const SliceGeometry& plane, F&& body) {
  parallelFor(0, plane.height, 32, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row)
      body(static_cast<std::size_t>(row));
  });
}

std::array<std::uint32_t, 256> packedTable(ColourMap map) {
  std::array<std::uint32_t, 256> table;
  std::transform(colourTable(map).begin(), colourTable(map).end(), table.begin(), packed);
  return table;
}

void addImage(const SliceLayer& layer, const SliceGeometry& plane, Picture& picture) {
  std::vector<float> values;
  layer.source.sample(plane, layer.interpolation, values);
  const auto table = packedTable(layer.colourMap);
  const float low = static_cast<float>(layer.range.low);
  const float scale = static_cast<float>(255 / std::max(layer.range.high - layer.range.low, 1e-30));
  const std::uint32_t share = shareOf(layer.opacity);
  const bool hideBelow = layer.below == BelowRange::Transparent;
  forEachRow(plane, [&](std::size_t row) {
    const std::size_t begin = row * picture.width;
    for (std::size_t i = begin; i < begin + picture.width; ++i) {
      const float v = values[i];
      if (!std::isfinite(v) || (hideBelow && v <= low))
        continue;
      const auto colour = table[static_cast<std::size_t>(std::clamp((v - low) * scale + 0.5f, 0.0f, 255.0f))];
      picture.pixels[i] = share >= 256 ? colour : mixed(picture.pixels[i], colour, share);
    }
  });
}

// Colours by value; a value that the table hides or lacks gets none.
class LabelColours {
public:
  explicit LabelColours(const LabelTable& table) {
    for (const auto& label : table.labels)
      if (label.visible && label.value != 0)
        m_colours[static_cast<float>(label.value)] = packed({label.colour[0], label.colour[1], label.colour[2]});
  }
  std::uint32_t of(float value) const { // 0: nothing to draw
    const auto it = m_colours.find(value);
    return it == m_colours.end() ? 0 : it->second;
  }

private:
  std::unordered_map<float, std::uint32_t> m_colours;
};

// A pixel whose neighbour within the line's width is of another class. Outside the volume counts as background.
bool isEdge(const std::vector<float>& values, int width, int height, int column, int row, int line_px) {
  const float own = values[static_cast<std::size_t>(row) * width + column];
  const auto differs = [&](int c, int r) {
    return c >= 0 && r >= 0 && c < width && r < height && values[static_cast<std::size_t>(r) * width + c] != own;
  };
  return differs(column - line_px, row) || differs(column + line_px, row) || differs(column, row - line_px) || differs(column, row + line_px);
}

void addLabels(const SliceLayer& layer, const SliceGeometry& plane, int line_px, Picture& picture) {
  std::vector<float> values;
  layer.source.sample(plane, Interpolation::Nearest, values);
  const LabelColours colours(layer.labels);
  const std::uint32_t fill = layer.style == LabelStyle::Outline ? 0 : shareOf(layer.opacity);
  const bool outline = layer.style != LabelStyle::Filled;
  forEachRow(plane, [&](std::size_t row) {
    float last = 0;
    std::uint32_t colour = 0;
    for (int column = 0; column < plane.width; ++column) {
      const std::size_t i = row * plane.width + column;
      if (!(values[i] != 0) || std::isnan(values[i]))
        continue;
      if (values[i] != last) {
        last = values[i];
        colour = colours.of(last);
      }
      if (colour == 0)
        continue;
      const bool edge = outline && isEdge(values, plane.width, plane.height, column, static_cast<int>(row), line_px);
      picture.pixels[i] = edge ? colour : mixed(picture.pixels[i], colour, fill);
    }
  });
}

Picture alone(const SliceLayer& layer, const SliceGeometry& plane, int line_px) {
  Picture picture = blank(plane);
  SliceLayer opaque = layer;
  opaque.opacity = 1;
  if (layer.kind == LayerKind::Labels)
    addLabels(opaque, plane, line_px, picture);
  else
    addImage(opaque, plane, picture);
  return picture;
}

Picture compared(const SliceLayer& first, const SliceLayer& second, const Comparison& comparison, const SliceGeometry& plane, int line_px) {
  Picture a = alone(first, plane, line_px);
  const Picture b = alone(second, plane, line_px);
  const int edge = static_cast<int>(std::lround(std::clamp(comparison.position, 0.0, 1.0) * plane.width));
  const int tile = std::max(comparison.tile_px, 2);
  const std::uint32_t share = shareOf(comparison.position);
  for (int row = 0; row < plane.height; ++row)
    for (int column = 0; column < plane.width; ++column) {
      const std::size_t i = static_cast<std::size_t>(row) * plane.width + column;
      if (comparison.mode == CompareMode::Blend)
        a.pixels[i] = mixed(a.pixels[i], b.pixels[i], share);
      else if (comparison.mode == CompareMode::Swipe ? column >= edge : (row / tile + column / tile) % 2 != 0)
        a.pixels[i] = b.pixels[i];
    }
  return a;
}

} // namespace

std::optional<DisplayRange> Comparison::scaleOf(std::size_t layer) const {
  const auto which = static_cast<std::size_t>(std::find(members.begin(), members.end(), layer) - members.begin());
  return scale == DifferenceScale::Values || which >= scales.size() ? std::nullopt : std::optional(scales[which]);
}

Picture SliceScene::drawView(std::optional<std::size_t> layer, std::optional<std::size_t> subtracted, const SliceGeometry& plane) const {
  if (!layer)
    return draw(plane);
  return subtracted ? drawDifference(*layer, *subtracted, plane) : drawOnly(*layer, plane);
}

Picture SliceScene::draw(const SliceGeometry& plane) const {
  if (comparison.mode == CompareMode::Flicker && comparison.flickered < layers.size())
    return drawOnly(comparison.flickered, plane);
  const bool comparing = comparison.mode != CompareMode::None && comparison.mode != CompareMode::Flicker && comparison.first < layers.size() && comparison.second < layers.size();
  Picture picture = comparing && comparison.mode == CompareMode::Difference ? differenceOf(comparison.second, comparison.first, plane)
                    : comparing                                              ? compared(layers[comparison.first], layers[comparison.second], comparison, plane, outline_px) : blank(plane);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const SliceLayer& layer = layers[i];
    if (layer.visibility == Visibility::Hidden || (comparing && (i == comparison.first || i == comparison.second)))
      continue;
    if (layer.kind == LayerKind::Labels)
      addLabels(layer, plane, outline_px, picture);
    else if (!comparing)
      addImage(layer, plane, picture);
  }
  return picture;
}

Picture SliceScene::drawOnly(std::size_t index, const SliceGeometry& plane) const {
  if (index >= layers.size())
    return blank(plane);
  Picture picture = alone(layers[index], plane, outline_px);
  addShownLabels(index, plane, picture);
  return picture;
}

Picture SliceScene::drawDifference(std::size_t index, std::size_t subtracted, const SliceGeometry& plane) const {
  if (std::max(index, subtracted) >= layers.size())
    return blank(plane);
  Picture picture = differenceOf(index, subtracted, plane);
  addShownLabels(layers.size(), plane, picture);
  return picture;
}

Picture SliceScene::differenceOf(std::size_t index, std::size_t subtracted, const SliceGeometry& plane) const {
  const auto scaleOf = [this](std::size_t layer) {
    return comparison.scale == DifferenceScale::Values ? DisplayRange{0, 1} : comparison.scaleOf(layer).value_or(layers[layer].range);
  };
  std::vector<float> a, b;
  layers[subtracted].source.sample(plane, layers[subtracted].interpolation, a);
  layers[index].source.sample(plane, layers[index].interpolation, b);
  const DisplayRange ofA = scaleOf(subtracted), ofB = scaleOf(index);
  const auto table = packedTable(ColourMap::BlueWhiteRed);
  const double scale = 127.5 / std::max(comparison.differenceReach, 1e-30);
  Picture picture = blank(plane);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = ofB.shareOf(b[i]) - ofA.shareOf(a[i]);
    if (std::isfinite(d))
      picture.pixels[i] = table[static_cast<std::size_t>(std::clamp(127.5 + d * scale + 0.5, 0.0, 255.0))];
  }
  return picture;
}

void SliceScene::addShownLabels(std::size_t but, const SliceGeometry& plane, Picture& picture) const {
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (i != but && layers[i].kind == LayerKind::Labels && layers[i].visibility == Visibility::Shown)
      addLabels(layers[i], plane, outline_px, picture);
}

} // namespace voxlab
