// SPDX-License-Identifier: Apache-2.0
// ITK's reader takes memory by what the header says and follows its references to other files without looking: both are
// checked first.
#include "core/imaging/nrrd_io.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/text_header.h"
#include <cstring>
#include <itkNrrdImageIO.h>
#include <new>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

tl::unexpected<Error> bad(const fs::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

// --- before ITK ------------------------------------------------------------------------------------------------------
enum class Packing { Unknown, Raw, Text, Compressed };

struct DataReference {
  Packing packing = Packing::Unknown;
  std::uint64_t bytes = 0; // of the files that hold the voxels
  bool saysAxes = false;   // where they run to
};

Packing packingOf(const std::string& encoding) {
  const std::string word = lowerCase(encoding);
  if (word == "raw")
    return Packing::Raw;
  if (word == "txt" || word == "text" || word == "ascii" || word == "hex")
    return Packing::Text;
  if (word == "gz" || word == "gzip" || word == "bz2" || word == "bzip2")
    return Packing::Compressed;
  return Packing::Unknown;
}

Result<DataReference> referenceIn(const fs::path& file) {
  const auto lines = headerLines(file);
  if (!lines)
    return fail(lines.error());
  DataReference out;
  std::vector<fs::path> files{file};
  for (std::size_t n = 1; n < lines->size() && !(*lines)[n].text.empty(); ++n) {
    const std::string& line = (*lines)[n].text;
    out.saysAxes = out.saysAxes || valueOf(line, {"space directions"}, ':');
    if (const auto encoding = valueOf(line, {"encoding"}, ':'))
      out.packing = packingOf(*encoding);
    if (const auto data = valueOf(line, {"data file", "datafile"}, ':')) {
      auto named = voxelFiles(file, *data, *lines, n + 1);
      if (!named)
        return fail(named.error());
      files = std::move(*named);
    }
  }
  if (out.packing == Packing::Unknown)
    return bad(file, "its header does not say how the voxels are encoded, or in a way that is not known");
  std::error_code ec;
  for (const auto& one : files)
    out.bytes += fs::file_size(one, ec);
  return out;
}

// --- what ITK says ---------------------------------------------------------------------------------------------------
RawType rawTypeOf(const itk::ImageIOBase& io) {
  using Io = itk::IOComponentEnum;
  using Pixel = itk::IOPixelEnum;
  if (io.GetPixelType() == Pixel::COMPLEX)
    return io.GetComponentType() == Io::FLOAT ? RawType::Complex64 : io.GetComponentType() == Io::DOUBLE ? RawType::Complex128 : RawType::Unknown;
  if (io.GetPixelType() == Pixel::RGB && io.GetComponentType() == Io::UCHAR)
    return RawType::Rgb24;
  if (io.GetPixelType() == Pixel::RGBA && io.GetComponentType() == Io::UCHAR)
    return RawType::Rgba32;
  switch (io.GetComponentType()) {
  case Io::UCHAR: return RawType::UInt8;
  case Io::CHAR: return RawType::Int8;
  case Io::USHORT: return RawType::UInt16;
  case Io::SHORT: return RawType::Int16;
  case Io::UINT: return RawType::UInt32;
  case Io::INT: return RawType::Int32;
  case Io::ULONG: return sizeof(long) == 8 ? RawType::UInt64 : RawType::UInt32;
  case Io::LONG: return sizeof(long) == 8 ? RawType::Int64 : RawType::Int32;
  case Io::ULONGLONG: return RawType::UInt64;
  case Io::LONGLONG: return RawType::Int64;
  case Io::FLOAT: return RawType::Float32;
  case Io::DOUBLE: return RawType::Float64;
  default: return RawType::Unknown;
  }
}

// Columns are the steps along the axes; ITK counts in LPS. Missing axes (2D images) get a step of 1 mm.
Affine affineOf(const itk::ImageIOBase& io) {
  Affine lps = kIdentityAffine;
  for (unsigned int a = 0; a < std::min(io.GetNumberOfDimensions(), 3u); ++a) {
    const auto direction = io.GetDirection(a);
    for (unsigned int w = 0; w < 3; ++w)
      lps[w][a] = w < direction.size() ? direction[w] * io.GetSpacing(a) : 0;
    lps[a][3] = io.GetOrigin(a);
  }
  return rasFromLps(lps);
}

struct Shape {
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::int64_t frames = 1;      // 4th dimension and further ones
  std::int64_t interleaved = 1; // numbers a voxel that become time points
  std::int64_t timePoints() const { return frames * interleaved; }
};

Result<Shape> shapeOf(const itk::ImageIOBase& io, RawType type, const fs::path& file) {
  Shape shape;
  for (unsigned int a = 0; a < io.GetNumberOfDimensions(); ++a) {
    const auto side = static_cast<std::int64_t>(io.GetDimensions(a));
    if (a < 3)
      shape.size[a] = side;
    else if (side < 1 || __builtin_mul_overflow(shape.frames, side, &shape.frames))
      return bad(file, "its header announces an impossible number of voxels");
  }
  if (componentsOf(type) == 1)
    shape.interleaved = io.GetNumberOfComponents();
  std::int64_t timePoints = 0;
  if (shape.interleaved < 1 || __builtin_mul_overflow(shape.frames, shape.interleaved, &timePoints) || !checkedVoxelCount(shape.size, timePoints))
    return bad(file, "its header announces an impossible number of voxels");
  return shape;
}

Result<VolumeHeader> headerOf(const itk::ImageIOBase& io, const Shape& shape, RawType type, const fs::path& file) {
  VolumeHeader header;
  header.format = "NRRD";
  header.grid = {shape.size, affineOf(io)};
  header.timePoints = shape.timePoints();
  header.storedType = voxelTypeOf(type);
  header.components = componentsOf(type);
  if (!isUsable(header.grid.affine))
    return bad(file, "its axes or spacing are not usable");
  if (shape.interleaved > 1)
    header.notes.push_back("Each voxel holds " + std::to_string(shape.interleaved) + " numbers; they are shown as time points.");
  for (auto& note : storageNotes(type))
    header.notes.push_back(std::move(note));
  for (auto& note : geometryNotes(header.grid))
    header.notes.push_back(std::move(note));
  return header;
}

// --- reading ---------------------------------------------------------------------------------------------------------
Status checkSizes(const DataReference& data, const Shape& shape, RawType type, const fs::path& file) {
  const std::uint64_t voxels = *checkedVoxelCount(shape.size, shape.timePoints());
  const std::uint64_t needed = data.packing == Packing::Text ? voxels : voxels * rawBytes(type);
  if (needed <= (data.packing == Packing::Compressed ? data.bytes * 1032 : data.bytes))
    return {};
  return bad(file, "its header announces " + formatCount(static_cast<std::int64_t>(voxels)) + " voxels, but " + formatBytes(static_cast<double>(data.bytes)) +
                       " cannot hold them; it is truncated or its header is wrong");
}

Status checkLimits(const Shape& shape, const ReadOptions& options, RawType type, const VoxelSink& sink, const fs::path& file) {
  if (options.timePoint && (*options.timePoint < 0 || *options.timePoint >= shape.timePoints()))
    return fail(ExitCode::Data, "There is no time point " + std::to_string(*options.timePoint) + " in " + file.string() + ", which has " +
                                    std::to_string(shape.timePoints()) + ", counted from 0.");
  const std::uint64_t all = *checkedVoxelCount(shape.size, shape.timePoints());
  const std::uint64_t wanted = options.timePoint ? all / static_cast<std::uint64_t>(shape.timePoints()) : all;
  const std::uint64_t needed = wanted * sink.bytesPerVoxel() + all * rawBytes(type);
  if (needed <= options.memoryLimitBytes)
    return {};
  return fail(ExitCode::OutOfMemory, "Opening " + file.string() + " takes " + formatBytes(static_cast<double>(needed)) + ", and the limit is " +
                                         formatBytes(static_cast<double>(options.memoryLimitBytes)) + ".");
}

// Hands the wanted time points over. Interleaved numbers are gathered block by block.
void pass(const std::vector<std::byte>& raw, RawType type, const Shape& shape, const ReadOptions& options, VoxelSink& sink) {
  const std::size_t voxelBytes = rawBytes(type);
  const auto perVolume = static_cast<std::size_t>(shape.size[0] * shape.size[1] * shape.size[2]);
  const auto step = static_cast<std::size_t>(shape.interleaved);
  const std::int64_t first = options.timePoint.value_or(0), last = options.timePoint.value_or(shape.timePoints() - 1);
  sink.reserve(perVolume * static_cast<std::size_t>(last - first + 1));
  std::vector<std::byte> block;
  for (std::int64_t t = first; t <= last; ++t) {
    const auto frame = static_cast<std::size_t>(t) / step, component = static_cast<std::size_t>(t) % step;
    const std::byte* from = raw.data() + (frame * perVolume * step + component) * voxelBytes;
    constexpr std::size_t kBlock = 1 << 18; // voxels
    for (std::size_t done = 0; done < perVolume; done += kBlock) {
      const std::size_t count = std::min(kBlock, perVolume - done);
      block.resize(count * voxelBytes);
      for (std::size_t n = 0; n < count; ++n)
        std::memcpy(block.data() + n * voxelBytes, from + (done + n) * step * voxelBytes, voxelBytes);
      sink.append({type, ByteOrder::Native, 1, 0, block.data(), count});
    }
  }
}

Result<VolumeHeader> readThrough(itk::NrrdImageIO& io, const DataReference& data, const fs::path& file, const ReadOptions& options, VoxelSink* sink) {
  io.SetFileName(file.string());
  try {
    io.ReadImageInformation();
  } catch (const itk::ExceptionObject&) {
    return bad(file, "its header is cut off or says something that NRRD does not know. Fetch the file again, or convert it to NIfTI with the program that wrote it");
  }
  const RawType type = rawTypeOf(io);
  if (type == RawType::Unknown)
    return bad(file, "its voxel type is not supported");
  const auto shape = shapeOf(io, type, file);
  if (!shape)
    return fail(shape.error());
  if (auto status = checkSizes(data, *shape, type, file); !status)
    return fail(status.error());
  auto header = headerOf(io, *shape, type, file);
  if (header && !data.saysAxes)
    header->notes.insert(header->notes.begin(), "The file does not say how it is oriented; its axes were taken to run to the left, to the back and up.");
  if (!header || !sink)
    return header;
  if (auto status = checkLimits(*shape, options, type, *sink, file); !status)
    return fail(status.error());
  const auto cancelled = [&] { return fail(ExitCode::Stopped, "Reading " + file.string() + " was cancelled."); };
  if (options.cancel.stop_requested())
    return cancelled();
  itk::ImageIORegion region(io.GetNumberOfDimensions());
  for (unsigned int a = 0; a < io.GetNumberOfDimensions(); ++a)
    region.SetSize(a, io.GetDimensions(a));
  io.SetIORegion(region);
  std::vector<std::byte> raw(static_cast<std::size_t>(io.GetImageSizeInBytes()));
  io.Read(raw.data());
  if (options.cancel.stop_requested())
    return cancelled();
  pass(raw, type, *shape, options, *sink);
  if (options.progress)
    options.progress(1);
  return header;
}

Result<VolumeHeader> readNrrd(const fs::path& file, const ReadOptions& options, VoxelSink* sink) {
  const auto data = referenceIn(file);
  if (!data)
    return fail(data.error());
  itk::Object::SetGlobalWarningDisplay(false);
  try {
    return readThrough(*itk::NrrdImageIO::New(), *data, file, options, sink);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) { // ITK's words name its own sources
    return bad(file, "its voxels cannot be unpacked: the file is truncated or damaged. Fetch it again from where it came");
  }
}

bool recognises(const FileProbe& probe) { return probe.text().starts_with("NRRD000"); }
} // namespace

Importer nrrdImporter() { return {"NRRD", {".nrrd", ".nhdr"}, recognises, readNrrd}; }

} // namespace voxlab
