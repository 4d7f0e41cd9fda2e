// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dicom_pixels.h"
#include "core/imaging/decode_apart.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <gdcmFragment.h>
#include <gdcmImage.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmTrace.h>
#include <span>

namespace voxlab {
namespace {
constexpr auto kSamples = dicomTag(0x0028, 0x0002), kPhotometric = dicomTag(0x0028, 0x0004), kPlanar = dicomTag(0x0028, 0x0006),
               kFrames = dicomTag(0x0028, 0x0008), kRows = dicomTag(0x0028, 0x0010), kColumns = dicomTag(0x0028, 0x0011), kAllocated = dicomTag(0x0028, 0x0100),
               kStored = dicomTag(0x0028, 0x0101), kHighBit = dicomTag(0x0028, 0x0102), kSigned = dicomTag(0x0028, 0x0103);
constexpr std::uint64_t kCodecRatio = 16384; // beyond what JPEG 2000 makes of an empty picture

tl::unexpected<Error> bad(const std::filesystem::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

int bits(const DicomStructure& s) { return static_cast<int>(std::clamp(s.number(kAllocated), 0.0, 1024.0)); }

RawType typeOf(const DicomStructure& s, int samples) {
  const bool isSigned = s.number(kSigned) == 1;
  if (samples == 3)
    return bits(s) == 8 ? RawType::Rgb24 : RawType::Unknown;
  switch (bits(s)) {
  case 8: return isSigned ? RawType::Int8 : RawType::UInt8;
  case 16: return isSigned ? RawType::Int16 : RawType::UInt16;
  case 32: return isSigned ? RawType::Int32 : RawType::UInt32;
  default: return RawType::Unknown;
  }
}

bool isPlanar(const DicomStructure& s) { return s.number(kPlanar) == 1; }
bool isLuminance(const DicomStructure& s) { return s.text(kPhotometric).starts_with("YBR"); }

Status readRange(const std::filesystem::path& file, FileRange range, std::byte* to) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(range.offset));
  in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(range.bytes));
  return in ? Status{} : Status(bad(file, "its pixels could not be read to their end"));
}

// `count` bytes into every step-th place; false when there are too few.
bool unpackBits(std::span<const std::byte> packed, std::byte* to, std::size_t step, std::size_t count) {
  std::size_t at = 0, done = 0;
  while (done < count && at < packed.size()) {
    const int code = std::to_integer<std::int8_t>(packed[at++]);
    if (code == -128)
      continue;
    const std::size_t length = std::min(static_cast<std::size_t>(code >= 0 ? code + 1 : 1 - code), count - done);
    if (at + (code >= 0 ? length : 1) > packed.size())
      return false;
    for (std::size_t n = 0; n < length; ++n)
      to[step * done++] = packed[code >= 0 ? at + n : at];
    at += code >= 0 ? length : 1;
  }
  return done == count;
}

// Bits above the stored ones may hold overlays: only the stored ones count, with their sign.
template <class T> void keepStoredBits(std::vector<std::byte>& frame, ByteOrder order, int stored, int highBit) {
  constexpr int kBits = static_cast<int>(8 * sizeof(T));
  const bool whole = stored >= kBits || stored < 1 || highBit + 1 < stored || highBit >= kBits;
  if (whole && order == ByteOrder::Native)
    return;
  for (std::size_t at = 0; at + sizeof(T) <= frame.size(); at += sizeof(T)) {
    if (order == ByteOrder::Swapped)
      std::reverse(frame.begin() + static_cast<std::ptrdiff_t>(at), frame.begin() + static_cast<std::ptrdiff_t>(at + sizeof(T)));
    if (whole)
      continue;
    T value;
    std::memcpy(&value, frame.data() + at, sizeof value);
    using U = std::make_unsigned_t<T>;
    const U upper = static_cast<U>(static_cast<U>(value) << (kBits - 1 - highBit));
    value = static_cast<T>(static_cast<T>(upper) >> (kBits - stored)); // arithmetic shift for signed types
    std::memcpy(frame.data() + at, &value, sizeof value);
  }
}

void keepStoredBits(std::vector<std::byte>& frame, RawType type, ByteOrder order, int stored, int highBit) {
  switch (type) {
  case RawType::Int8: return keepStoredBits<std::int8_t>(frame, order, stored, highBit);
  case RawType::UInt8: return keepStoredBits<std::uint8_t>(frame, order, stored, highBit);
  case RawType::Int16: return keepStoredBits<std::int16_t>(frame, order, stored, highBit);
  case RawType::UInt16: return keepStoredBits<std::uint16_t>(frame, order, stored, highBit);
  case RawType::Int32: return keepStoredBits<std::int32_t>(frame, order, stored, highBit);
  case RawType::UInt32: return keepStoredBits<std::uint32_t>(frame, order, stored, highBit);
  default: return;
  }
}

bool decodeWithGdcm(const DicomStructure& s, const DicomPixels& pixels, const std::vector<std::vector<std::byte>>& fragments, std::span<std::byte> out) {
  gdcm::Trace::DebugOff();
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  const auto number = [&](std::uint32_t tag, double otherwise = 0) { return static_cast<unsigned short>(std::clamp(s.number(tag, otherwise), 0.0, 65535.0)); };
  gdcm::Image image;
  image.SetNumberOfDimensions(pixels.frames > 1 ? 3 : 2);
  image.SetDimension(0, static_cast<unsigned int>(pixels.columns));
  image.SetDimension(1, static_cast<unsigned int>(pixels.rows));
  if (pixels.frames > 1)
    image.SetDimension(2, static_cast<unsigned int>(pixels.frames));
  image.SetTransferSyntax(gdcm::TransferSyntax::GetTSType(s.transferSyntax.c_str()));
  image.SetPixelFormat(gdcm::PixelFormat(number(kSamples, 1), number(kAllocated), number(kStored), number(kHighBit), number(kSigned)));
  image.SetPhotometricInterpretation(gdcm::PhotometricInterpretation(gdcm::PhotometricInterpretation::GetPIType(s.text(kPhotometric).c_str())));
  if (pixels.samples == 3)
    image.SetPlanarConfiguration(number(kPlanar));
  auto sequence = gdcm::SequenceOfFragments::New();
  for (const auto& bytes : fragments) {
    gdcm::Fragment fragment;
    fragment.SetByteValue(reinterpret_cast<const char*>(bytes.data()), static_cast<std::uint32_t>(bytes.size()));
    sequence->AddFragment(fragment);
  }
  gdcm::DataElement pixelData(gdcm::Tag(0x7fe0, 0x0010));
  pixelData.SetVR(gdcm::VR::OB);
  pixelData.SetValue(*sequence);
  image.SetDataElement(pixelData);
  return image.GetBufferLength() == out.size() && image.GetBuffer(reinterpret_cast<char*>(out.data()));
}

// Plane after plane → pixel after pixel; of luminance and colour differences only the first is kept.
void arrangeColours(std::vector<std::byte>& frame, bool planar, bool luminanceOnly) {
  const std::size_t count = frame.size() / 3;
  std::vector<std::byte> out(frame.size());
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t from = luminanceOnly ? 0 : c;
      out[3 * n + c] = planar ? frame[from * count + n] : frame[3 * n + from];
    }
  frame = std::move(out);
}
} // namespace

Result<DicomPixels> describePixels(const DicomStructure& s, const std::filesystem::path& file) {
  if (!s.hasPixels || s.number(kRows) < 1 || s.number(kColumns) < 1)
    return bad(file, "it is a DICOM file without an image");
  const auto count = [&](std::uint32_t tag) { return static_cast<std::int64_t>(std::clamp(s.number(tag, 1), 1.0, 1e9)); };
  DicomPixels out;
  out.columns = count(kColumns);
  out.rows = count(kRows);
  out.frames = count(kFrames);
  out.samples = static_cast<int>(count(kSamples));
  out.type = out.samples == 1 || out.samples == 3 ? typeOf(s, out.samples) : RawType::Unknown;
  const std::string photometric = s.text(kPhotometric);
  if (out.type == RawType::Unknown || photometric.starts_with("PALETTE") || (!s.compressed && photometric.starts_with("YBR_") && photometric.ends_with("422")))
    return bad(file, "its pixels are of a kind that is not supported (" + std::to_string(out.samples) + " × " + std::to_string(bits(s)) + " bits, " + photometric + ")");
  const auto voxels = checkedVoxelCount({out.columns, out.rows, out.frames}, 1);
  if (!voxels || *voxels * rawBytes(out.type) > s.pixelBytes() * (s.compressed ? kCodecRatio : 1))
    return bad(file, "it holds fewer pixels than its header says; the file is truncated or its header is wrong");
  return out;
}

Status DicomFrames::readFrame(std::size_t frame, std::vector<std::byte>& out) const {
  const std::uint64_t bytes = m_pixels.voxelsPerFrame() * rawBytes(m_pixels.type);
  out.resize(static_cast<std::size_t>(bytes));
  if (!m_structure.compressed)
    return readRange(m_file, {m_structure.pixels.offset + frame * bytes, bytes}, out.data());
  std::memcpy(out.data(), m_decoded.data() + frame * bytes, out.size());
  return {};
}

Status DicomFrames::pass(std::size_t frame, double slope, double intercept, VoxelSink& sink) {
  if (m_structure.compressed && m_decoded.empty())
    if (auto status = decode(); !status)
      return status;
  std::vector<std::byte> raw;
  if (auto status = readFrame(frame, raw); !status)
    return status;
  if (m_pixels.samples == 3) {
    if (!m_structure.compressed)
      arrangeColours(raw, isPlanar(m_structure), isLuminance(m_structure));
  } else {
    const auto order = m_structure.bigEndian && !m_structure.compressed ? ByteOrder::Swapped : ByteOrder::Native;
    keepStoredBits(raw, m_pixels.type, order, static_cast<int>(m_structure.number(kStored)), static_cast<int>(m_structure.number(kHighBit, m_structure.number(kStored) - 1)));
  }
  sink.append({m_pixels.type, ByteOrder::Native, slope, intercept, raw.data(), static_cast<std::size_t>(m_pixels.voxelsPerFrame())});
  return {};
}

// DICOM PS3.5, annex G: up to 15 segments a frame, one a byte of the pixels (most significant first), packed bits.
Status DicomFrames::decodeRle() {
  const std::size_t perFrame = static_cast<std::size_t>(m_pixels.voxelsPerFrame()), pixelBytes = rawBytes(m_pixels.type);
  const auto damaged = [&] { return bad(m_file, "its compressed pixels are damaged"); };
  if (m_structure.fragments.size() != static_cast<std::size_t>(m_pixels.frames) + 1)
    return damaged();
  m_decoded.assign(perFrame * pixelBytes * static_cast<std::size_t>(m_pixels.frames), std::byte{});
  const std::size_t sampleBytes = pixelBytes / static_cast<std::size_t>(m_pixels.samples);
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(m_pixels.frames); ++frame) {
    std::vector<std::byte> packed(static_cast<std::size_t>(m_structure.fragments[frame + 1].bytes));
    if (auto status = readRange(m_file, m_structure.fragments[frame + 1], packed.data()); !status)
      return status;
    if (packed.size() < 64)
      return damaged();
    std::array<std::uint32_t, 16> header{};
    std::memcpy(header.data(), packed.data(), 64);
    if (header[0] != pixelBytes)
      return damaged();
    for (std::size_t segment = 0; segment < pixelBytes; ++segment) {
      // Samples follow each other; within one, the most significant byte comes first.
      const std::size_t position = segment / sampleBytes * sampleBytes + (sampleBytes - 1 - segment % sampleBytes);
      std::byte* to = m_decoded.data() + frame * perFrame * pixelBytes + position;
      const std::size_t end = segment + 1 < pixelBytes ? header[segment + 2] : packed.size();
      if (header[segment + 1] > end || end > packed.size() ||
          !unpackBits({packed.data() + header[segment + 1], end - header[segment + 1]}, to, pixelBytes, perFrame))
        return damaged();
    }
  }
  return {};
}

Status DicomFrames::decode() {
  if (m_structure.transferSyntax == "1.2.840.10008.1.2.5")
    return decodeRle();
  std::vector<std::vector<std::byte>> fragments;
  for (std::size_t n = 1; n < m_structure.fragments.size(); ++n) { // the first is the offset table
    fragments.emplace_back(static_cast<std::size_t>(m_structure.fragments[n].bytes));
    if (auto status = readRange(m_file, m_structure.fragments[n], fragments.back().data()); !status)
      return status;
  }
  const auto wanted = static_cast<std::size_t>(m_pixels.voxelsPerFrame()) * static_cast<std::size_t>(m_pixels.frames) * rawBytes(m_pixels.type);
  auto decoded = decodeApart(wanted, [&](std::span<std::byte> out) { return decodeWithGdcm(m_structure, m_pixels, fragments, out); },
                             "Could not read " + m_file.string(), m_cancel);
  if (!decoded)
    return fail(decoded.error());
  m_decoded = std::move(*decoded);
  return {};
}

} // namespace voxlab
