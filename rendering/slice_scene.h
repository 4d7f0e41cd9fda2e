// SPDX-License-Identifier: GPL-3.0-or-later
// What the slices show: layers over each other, or two of them compared. One scene serves any number of views; each
// view gives its plane and gets its picture.
#pragma once
#include "core/imaging/display_range.h"
#include "core/imaging/label_table.h"
#include "rendering/colour_maps.h"
#include "rendering/slice_sampler.h"
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

enum class LayerKind { Image, Labels };
enum class LabelStyle { Filled, Outline, FilledAndOutline };
enum class Visibility { Shown, Hidden };
// What an image layer shows at and below the lower end of its range.
enum class BelowRange { FirstColour, Transparent };

struct SliceLayer {
  SampledVolume source;
  LayerKind kind = LayerKind::Image;
  std::string title{};
  Visibility visibility = Visibility::Shown;
  double opacity = 1; // 0…1
  // Images
  DisplayRange range{};
  ColourMap colourMap = ColourMap::Grey;
  Interpolation interpolation = Interpolation::Linear;
  BelowRange below = BelowRange::FirstColour;
  // Labels
  LabelTable labels{};
  LabelStyle style = LabelStyle::Filled;
};

enum class CompareMode { None, Checkerboard, Swipe, Flicker, Blend, Difference };
enum class DifferenceScale { Values, ShareOfRange }; // the second brings each layer to a scale of 0 to 1 first

struct Comparison {
  CompareMode mode = CompareMode::None;
  std::size_t first = 0, second = 1; // layer indices; the difference is second − first
  std::vector<std::size_t> members{}; // of all that are compared, the first (the reference) at the front; empty while nothing is
  double position = 0.5;             // swipe: share of the width that shows the first; blend: share of the second
  int tile_px = 48;
  std::size_t flickered = 0; // the layer that is seen now
  DifferenceScale scale = DifferenceScale::Values;
  std::vector<DisplayRange> scales{}; // ShareOfRange: as members, what becomes 0 and 1; of others their display range
  double differenceReach = 1; // the colour map goes from −reach to +reach
  bool isReachMeasured = false; // or a guess until it is
  std::optional<DisplayRange> scaleOf(std::size_t layer) const; // of `scales`, where they are in force
};

// 0xffRRGGBB, row 0 at the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
  std::uint32_t at(int column, int row) const { return pixels[static_cast<std::size_t>(row) * width + column]; }
};

struct SliceScene {
  std::vector<SliceLayer> layers; // the first is at the bottom
  Comparison comparison{};
  int outline_px = 1;

  // Black where there is nothing. A comparison that names a missing layer is drawn as CompareMode::None.
  Picture draw(const SliceGeometry& plane) const;
  // What a view shows: all of it, one layer alone, or its difference from another.
  Picture drawView(std::optional<std::size_t> layer, std::optional<std::size_t> subtracted, const SliceGeometry& plane) const;
  // One layer alone, for views side by side; label layers stay on top of it.
  Picture drawOnly(std::size_t layer, const SliceGeometry& plane) const;
  // layer − subtracted in the comparison's scale and reach, likewise under the labels.
  Picture drawDifference(std::size_t layer, std::size_t subtracted, const SliceGeometry& plane) const;

private:
  Picture differenceOf(std::size_t layer, std::size_t subtracted, const SliceGeometry& plane) const;
  void addShownLabels(std::size_t but, const SliceGeometry& plane, Picture& picture) const;
};

} // namespace voxlab
