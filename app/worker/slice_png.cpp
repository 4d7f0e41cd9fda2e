// SPDX-License-Identifier: Apache-2.0
#include "app/worker/slice_png.h"
#include "core/imaging/display_range.h"
#include "core/imaging/geometry.h"
#include "core/imaging/resample.h"
#include "core/imaging/volume_io.h"
#include <algorithm>
#include <cmath>
#include <zlib.h>

namespace voxlab {
namespace {
void appendNumber(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 255);
}

// Length, kind, data, checksum of kind and data (PNG specification, 5.3).
void appendChunk(std::string& out, const std::string& kind, const std::string& data) {
  appendNumber(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = kind + data;
  out += body;
  appendNumber(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}
} // namespace

std::string encodePng(std::span<const std::uint8_t> grey, std::uint32_t width, std::uint32_t height) {
  std::string raw;
  for (std::uint32_t row = 0; row < height; ++row) {
    raw += '\0'; // no filter
    raw.append(reinterpret_cast<const char*>(grey.data()) + static_cast<std::size_t>(row) * width, width);
  }
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9);
  packed.resize(size);
  std::string header;
  appendNumber(header, width);
  appendNumber(header, height);
  header += std::string("\x08\x00\x00\x00\x00", 5); // 8 bits, grey
  std::string out("\x89PNG\r\n\x1a\n", 8);
  appendChunk(out, "IHDR", header);
  appendChunk(out, "IDAT", packed);
  appendChunk(out, "IEND", "");
  return out;
}

Result<std::string> middleSlicePng(const std::filesystem::path& file) {
  ReadOptions options;
  options.timePoint = 0;
  const auto stored = readVolume(file, options);
  if (!stored)
    return fail(stored.error());
  const Volume volume = reoriented(*stored, orderTowards(stored->grid().affine, "RAS"));
  const auto [nx, ny, nz] = volume.grid().size;
  const DisplayRange range = robustRange(histogramOf(volume.voxels));
  const Vec3 spacing = spacingOf(volume.grid().affine);
  const double pixel = std::min(spacing[0], spacing[1]);
  const auto width = static_cast<std::int64_t>(std::lround(static_cast<double>(nx) * spacing[0] / pixel)), height = static_cast<std::int64_t>(std::lround(static_cast<double>(ny) * spacing[1] / pixel));
  if (width < 1 || height < 1 || width > 4096 || height > 4096)
    return fail(ExitCode::Data, "A slice of " + file.string() + " cannot be drawn: its voxels are of too different lengths.");
  std::vector<std::uint8_t> grey;
  for (std::int64_t row = 0; row < height; ++row)
    for (std::int64_t column = 0; column < width; ++column) {
      const std::int64_t i = nx - 1 - column * nx / width, j = ny - 1 - row * ny / height;
      const float value = volume.voxels[static_cast<std::size_t>(i + nx * (j + ny * (nz / 2)))];
      grey.push_back(static_cast<std::uint8_t>(std::clamp(255 * (value - range.low) / std::max(range.high - range.low, 1e-12), 0.0, 255.0)));
    }
  return encodePng(grey, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
}

} // namespace voxlab
