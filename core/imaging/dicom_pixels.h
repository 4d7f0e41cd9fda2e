// SPDX-License-Identifier: Apache-2.0
// The pixels of a DICOM file, frame by frame. Uncompressed ones are read straight from the file; compressed ones are
// decoded here (RLE) or by GDCM in a process of its own (JPEG, JPEG-LS, JPEG 2000).
#pragma once
#include "core/imaging/dicom_structure.h"
#include "core/imaging/voxel_sink.h"

namespace voxlab {

struct DicomPixels {
  std::int64_t columns = 0, rows = 0, frames = 1;
  int samples = 1; // 3: colour
  RawType type = RawType::Unknown; // of a delivered voxel
  std::uint64_t voxelsPerFrame() const { return static_cast<std::uint64_t>(columns * rows); }
};

// What the header says, checked against the file's size. Fails with Data: no image, pixels of an unsupported kind (palettes,
// bit images), fewer than announced.
Result<DicomPixels> describePixels(const DicomStructure& structure, const std::filesystem::path& file);

class DicomFrames {
public:
  DicomFrames(const DicomStructure& structure, const DicomPixels& pixels, std::filesystem::path file, std::stop_token cancel)
      : m_structure(structure), m_pixels(pixels), m_file(std::move(file)), m_cancel(std::move(cancel)) {}
  // Hands one frame to the sink, scaled. Fails with Data.
  Status pass(std::size_t frame, double slope, double intercept, VoxelSink& sink);

private:
  Status decode(); // all frames of a compressed file, once
  Status decodeRle();
  Status readFrame(std::size_t frame, std::vector<std::byte>& out) const;
  const DicomStructure& m_structure;
  DicomPixels m_pixels;
  std::filesystem::path m_file;
  std::stop_token m_cancel;
  std::vector<std::byte> m_decoded;
};

} // namespace voxlab
