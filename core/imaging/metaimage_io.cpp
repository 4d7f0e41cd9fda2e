// SPDX-License-Identifier: Apache-2.0
// Format: MetaIO documentation, "MetaImage": "Key = value" lines up to ElementDataFile; LPS; axis directions in the order
// of the axes.
#include "core/imaging/metaimage_io.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/text_header.h"
#include <bit>
#include <map>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

tl::unexpected<Error> bad(const fs::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

RawType rawTypeOf(const std::string& name, std::int64_t channels) {
  static const std::map<std::string, RawType> types{
      {"met_uchar", RawType::UInt8},   {"met_char", RawType::Int8},  {"met_ushort", RawType::UInt16}, {"met_short", RawType::Int16},
      {"met_uint", RawType::UInt32},   {"met_int", RawType::Int32},  {"met_ulong", RawType::UInt32},  {"met_long", RawType::Int32},
      {"met_ulong_long", RawType::UInt64}, {"met_long_long", RawType::Int64}, {"met_float", RawType::Float32}, {"met_double", RawType::Float64}};
  const auto it = types.find(lowerCase(name));
  if (it == types.end())
    return RawType::Unknown;
  if (channels == 1)
    return it->second;
  if (it->second == RawType::UInt8)
    return channels == 3 ? RawType::Rgb24 : channels == 4 ? RawType::Rgba32 : RawType::Unknown;
  return RawType::Unknown;
}

struct MetaHeader {
  std::map<std::string, std::string> fields; // keys in lower case
  std::vector<fs::path> files;
  bool local = false;
  std::uint64_t headerEnd = 0;

  std::string text(std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
      if (const auto it = fields.find(key); it != fields.end())
        return it->second;
    return {};
  }
  bool isTrue(std::initializer_list<const char*> keys) const { return lowerCase(text(keys)).starts_with('t'); }
};

Result<MetaHeader> parse(const fs::path& file) {
  const auto lines = headerLines(file);
  if (!lines)
    return fail(lines.error());
  MetaHeader out;
  for (std::size_t n = 0; n < lines->size(); ++n) {
    const auto& line = (*lines)[n];
    const auto at = line.text.find('=');
    if (at == std::string::npos)
      continue;
    const std::string key = lowerCase(trimmed(line.text.substr(0, at))), value = trimmed(line.text.substr(at + 1));
    if (key != "elementdatafile") {
      out.fields[key] = value;
      continue;
    }
    out.headerEnd = line.next;
    out.local = lowerCase(value) == "local";
    if (out.local) {
      out.files = {file};
      return out;
    }
    auto files = voxelFiles(file, value, *lines, n + 1);
    if (!files)
      return fail(files.error());
    out.files = std::move(*files);
    return out;
  }
  return bad(file, "its header does not say where the voxels are (ElementDataFile)");
}

// As many numbers as asked for, or the default when the field is absent.
Result<std::vector<double>> numbers(const MetaHeader& header, std::initializer_list<const char*> keys, std::size_t count, double otherwise, const fs::path& file) {
  const std::string text = header.text(keys);
  if (text.empty())
    return std::vector<double>(count, otherwise);
  auto values = numbersIn(text);
  if (!values || values->size() < count)
    return bad(file, "the field " + std::string(*keys.begin()) + " of its header is damaged");
  return std::move(*values);
}

Status takeGrid(const MetaHeader& header, const fs::path& file, VolumeHeader& out) {
  const auto dims = numbers(header, {"ndims"}, 1, 0, file);
  if (!dims)
    return fail(dims.error());
  const double n = dims->front();
  if (!(n >= 1 && n <= 5))
    return bad(file, "its header says it has " + formatSignificant(n) + " dimensions");
  const auto axes = static_cast<std::size_t>(n), spatial = std::min<std::size_t>(axes, 3);
  const auto size = numbers(header, {"dimsize"}, axes, 0, file);
  const auto spacing = numbers(header, {"elementspacing", "elementsize"}, axes, 1, file);
  const auto origin = numbers(header, {"offset", "position", "origin"}, axes, 0, file);
  if (!size || !spacing || !origin)
    return fail(!size ? size.error() : !spacing ? spacing.error() : origin.error());
  out.grid.size = {1, 1, 1};
  for (std::size_t a = 0; a < axes; ++a) {
    const double side = (*size)[a];
    if (!(side >= 1 && side <= 1e9))
      return bad(file, "its header gives dimension " + std::to_string(a + 1) + " the size " + formatSignificant(side));
    if (a < 3)
      out.grid.size[a] = static_cast<std::int64_t>(side);
    else if (__builtin_mul_overflow(out.timePoints, static_cast<std::int64_t>(side), &out.timePoints))
      return bad(file, "its header announces an impossible number of voxels");
  }
  if (!checkedVoxelCount(out.grid.size, out.timePoints))
    return bad(file, "its header announces an impossible number of voxels");
  std::vector<double> direction(axes * axes, 0);
  for (std::size_t a = 0; a < axes; ++a)
    direction[a * axes + a] = 1;
  if (!header.text({"transformmatrix", "rotation", "orientation"}).empty()) {
    auto given = numbers(header, {"transformmatrix", "rotation", "orientation"}, axes * axes, 0, file);
    if (!given)
      return fail(given.error());
    direction = std::move(*given);
  }
  Affine lps = kIdentityAffine;
  for (std::size_t a = 0; a < spatial; ++a) {
    for (std::size_t w = 0; w < spatial; ++w)
      lps[w][a] = direction[a * axes + w] * (*spacing)[a];
    lps[a][3] = (*origin)[a];
  }
  out.grid.affine = rasFromLps(lps);
  return isUsable(out.grid.affine) ? Status{} : Status(bad(file, "its axes or spacing are not usable"));
}

Result<RawLayout> layoutOf(const MetaHeader& header, const fs::path& file, VolumeHeader& out) {
  const auto channels = numbers(header, {"elementnumberofchannels"}, 1, 1, file);
  if (!channels)
    return fail(channels.error());
  RawLayout layout;
  layout.type = rawTypeOf(header.text({"elementtype"}), static_cast<std::int64_t>(std::min(channels->front(), 1e6)));
  if (layout.type == RawType::Unknown)
    return bad(file, "its voxel type (" + formatSignificant(channels->front()) + " × " + header.text({"elementtype"}).substr(0, 40) + ") is not supported");
  const bool big = header.isTrue({"binarydatabyteordermsb", "elementbyteordermsb"});
  layout.order = big == (std::endian::native == std::endian::big) ? ByteOrder::Native : ByteOrder::Swapped;
  layout.voxelsPerTimePoint = static_cast<std::uint64_t>(out.grid.voxelCount());
  layout.timePoints = out.timePoints;
  out.storedType = voxelTypeOf(layout.type);
  out.components = componentsOf(layout.type);
  return layout;
}

// Where the voxels of the first file begin. HeaderSize: bytes to skip; -1: they stand at the end of the file.
Result<std::uint64_t> firstByte(const MetaHeader& header, const RawLayout& layout, const fs::path& file) {
  const auto size = numbers(header, {"headersize"}, 1, 0, file);
  if (!size)
    return fail(size.error());
  const double skip = size->front();
  if (skip >= 0 && skip <= 0x1p52)
    return header.local ? header.headerEnd : static_cast<std::uint64_t>(skip);
  std::error_code ec;
  const std::uint64_t fileBytes = fs::file_size(header.files.front(), ec);
  const std::uint64_t needed = layout.voxelsPerTimePoint * static_cast<std::uint64_t>(layout.timePoints) * rawBytes(layout.type);
  if (skip != -1 || needed > fileBytes)
    return bad(file, "its header puts the voxels at an impossible place");
  return fileBytes - needed;
}

Result<VolumeHeader> readMetaImage(const fs::path& file, const ReadOptions& options, VoxelSink* sink) {
  const auto header = parse(file);
  if (!header)
    return fail(header.error());
  VolumeHeader out;
  out.format = "MetaImage";
  if (auto status = takeGrid(*header, file, out); !status)
    return fail(status.error());
  const auto layout = layoutOf(*header, file, out);
  if (!layout)
    return fail(layout.error());
  if (lowerCase(header->text({"binarydata"})).starts_with('f') || header->files.size() > 1)
    return bad(file, "its voxels are stored as text or slice by slice in many files, which is not supported; convert it to one binary file");
  const auto start = firstByte(*header, *layout, file);
  if (!start)
    return fail(start.error());
  auto source = FileBytes::openAt(header->files.front(), *start, header->isTrue({"compresseddata"}) ? ByteEncoding::Zlib : ByteEncoding::Plain);
  if (!source)
    return fail(source.error());
  for (auto& note : storageNotes(layout->type))
    out.notes.push_back(std::move(note));
  for (auto& note : geometryNotes(out.grid))
    out.notes.push_back(std::move(note));
  if (auto status = readOrCheck(*source, *layout, options, sink); !status)
    return fail(status.error());
  return out;
}

bool recognises(const FileProbe& probe) {
  const auto text = probe.text();
  return text.find("NDims") != text.npos && text.find("ElementType") != text.npos && text.find("DimSize") != text.npos;
}
} // namespace

Importer metaImageImporter() { return {"MetaImage", {".mha", ".mhd"}, recognises, readMetaImage}; }

} // namespace voxlab
