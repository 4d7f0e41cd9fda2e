// SPDX-License-Identifier: Apache-2.0
// How the readers of this room hand over voxels: raw blocks as they stand in the file go into a sink, which converts them
// with slope and intercept, counts what is not finite, and takes memory only as voxels really arrive.
#pragma once
#include "core/base/result.h"
#include "core/imaging/file_bytes.h"
#include "core/imaging/volume_io.h"
#include <cstddef>

namespace voxlab {

// How a voxel is stored. Colour becomes luminance (ITU-R BT.709), complex numbers their magnitude.
enum class RawType {
  Unknown, UInt8, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, Float32, Float64, Rgb24, Rgba32, Complex64, Complex128
};
std::size_t rawBytes(RawType type); // of one voxel; 0 for Unknown
VoxelType voxelTypeOf(RawType type); // of one component
int componentsOf(RawType type);
std::vector<std::string> storageNotes(RawType type); // what became of colours and complex numbers

enum class ByteOrder { Native, Swapped };

struct RawBlock {
  RawType type = RawType::Unknown;
  ByteOrder order = ByteOrder::Native;
  double slope = 1, intercept = 0;
  const std::byte* bytes = nullptr;
  std::size_t count = 0; // voxels
};

class VoxelSink {
public:
  virtual ~VoxelSink() = default;
  virtual std::size_t bytesPerVoxel() const = 0;
  virtual void reserve(std::size_t voxels) = 0; // may throw std::bad_alloc
  virtual void append(const RawBlock& block) = 0;
  std::uint64_t nonFinite() const { return m_nonFinite; }

protected:
  std::uint64_t m_nonFinite = 0; // NaN and infinities seen
};

// Into a vector of float or double.
template <class T> class VectorSink final : public VoxelSink {
public:
  std::size_t bytesPerVoxel() const override { return sizeof(T); }
  void reserve(std::size_t voxels) override { voxelsTaken.reserve(voxels); }
  void append(const RawBlock& block) override;
  std::vector<T> voxelsTaken;
};

// Where the voxels of a file are and how many there are.
struct RawLayout {
  RawType type = RawType::Unknown;
  ByteOrder order = ByteOrder::Native;
  double slope = 1, intercept = 0;
  std::uint64_t firstByte = 0;
  std::uint64_t voxelsPerTimePoint = 0;
  std::int64_t timePoints = 1;
};

// nullopt when the product exceeds 2^40, which no volume does.
std::optional<std::uint64_t> checkedVoxelCount(const std::array<std::int64_t, 3>& size, std::int64_t timePoints);

// Whether the file can hold what its header says, before anything is read. Fails with Data.
Status checkAgainstFile(const FileBytes& source, const RawLayout& layout);
// Whether the wanted voxels fit the options' memory limit. Fails with OutOfMemory; with Data for a time point that is not there.
Status checkOptions(const FileBytes& source, const RawLayout& layout, const ReadOptions& options, const VoxelSink& sink);
// All of it: checks, and the voxels if there is a sink.
Status readOrCheck(FileBytes& source, const RawLayout& layout, const ReadOptions& options, VoxelSink* sink);

// A file whose header has one size: `interpret` makes a header of those bytes and says where the voxels lie. Fails with Data on a file
// that ends before.
using InterpretHeader = Result<VolumeHeader> (*)(std::span<const std::byte> start, const std::filesystem::path& file, RawLayout& layout);
Result<VolumeHeader> readWithFixedHeader(const std::filesystem::path& file, std::size_t headerBytes, InterpretHeader interpret, const ReadOptions& options,
                                         VoxelSink* sink);
// Streams them in blocks of at most 4 MB. The source must stand at or before firstByte.
Status readRawVoxels(FileBytes& source, const RawLayout& layout, const ReadOptions& options, VoxelSink& sink);

} // namespace voxlab
