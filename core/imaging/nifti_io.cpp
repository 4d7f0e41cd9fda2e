// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/nifti_io.h"
#include "core/imaging/byte_target.h"
#include "core/imaging/nifti_encode.h"
#include "core/imaging/nifti_header.h"
#include <algorithm>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

// The other half of a pair: case.hdr ↔ case.img, either of them possibly compressed; in upper case where the given one is.
std::optional<fs::path> partner(const fs::path& file, const std::string& ending) {
  fs::path base = file;
  if (base.extension() == ".gz")
    base.replace_extension();
  std::string upper = ending;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const std::string& tail : {ending, ending + ".gz", upper}) {
    fs::path candidate = base;
    candidate.replace_extension(tail);
    std::error_code ec;
    if (fs::is_regular_file(candidate, ec))
      return candidate;
  }
  return std::nullopt;
}

bool isImageHalf(const std::string& lowerName) { return lowerName.ends_with(".img") || lowerName.ends_with(".img.gz"); }

bool recognises(const FileProbe& probe) {
  const NiftiKind kind = niftiKindOf(probe.start);
  if (kind == NiftiKind::Nifti1 || kind == NiftiKind::Nifti2)
    return true;
  if (kind == NiftiKind::Analyze)
    return probe.nameEndsWith(".hdr") || probe.nameEndsWith(".hdr.gz");
  return isImageHalf(probe.lowerName) && partner(probe.file, ".hdr").has_value();
}

struct Parsed {
  NiftiHeader fields;
  VolumeHeader meaning;
};

Result<Parsed> parse(const fs::path& file) {
  auto source = FileBytes::open(file);
  if (!source)
    return fail(source.error());
  std::vector<std::byte> start(kNiftiProbeBytes);
  const auto got = source->read(start);
  if (!got)
    return fail(got.error());
  start.resize(*got);
  auto fields = parseNiftiHeader(start, file.string());
  if (!fields)
    return fail(fields.error());
  auto meaning = interpret(*fields, file.string());
  if (!meaning)
    return fail(meaning.error());
  return Parsed{std::move(*fields), std::move(*meaning)};
}

// The file that holds the voxels.
Result<FileBytes> voxelSource(const Parsed& parsed, const fs::path& headerFile) {
  if (parsed.fields.singleFile)
    return FileBytes::open(headerFile);
  const auto image = partner(headerFile, ".img");
  if (!image)
    return fail(ExitCode::Data, "Could not read " + headerFile.string() + ": the .img file with its voxels is not beside it.");
  return FileBytes::open(*image);
}

Result<VolumeHeader> readNifti(const fs::path& given, const ReadOptions& options, VoxelSink* sink) {
  fs::path headerFile = given;
  std::string lowerName = given.filename().string();
  std::transform(lowerName.begin(), lowerName.end(), lowerName.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (isImageHalf(lowerName))
    headerFile = partner(given, ".hdr").value_or(given);
  auto parsed = parse(headerFile);
  if (!parsed)
    return fail(parsed.error());
  auto source = voxelSource(*parsed, headerFile);
  if (!source)
    return fail(source.error());
  if (auto status = readOrCheck(*source, layoutOf(parsed->fields, parsed->meaning), options, sink); !status)
    return fail(status.error());
  return std::move(parsed->meaning);
}
} // namespace

Importer niftiImporter() { return {"NIfTI", {".nii.gz", ".nii", ".hdr", ".img", ".img.gz"}, recognises, readNifti}; }

NiftiStorage storageOf(const Volume& volume) {
  const VolumeHeader& header = volume.header;
  const NiftiStorage asRead(header.storedType, static_cast<float>(header.slope), static_cast<float>(header.intercept));
  const bool isInteger = header.storedType != VoxelType::Unknown && header.storedType != VoxelType::Float32 && header.storedType != VoxelType::Float64;
  return isInteger && header.components == 1 && survive(volume.voxels, asRead) ? asRead : NiftiStorage();
}

bool canStore(VoxelType type, const Volume& volume) { return survive(volume.voxels, type); }

Status writeNifti(const fs::path& file, const Volume& volume, const NiftiStorage& storage) {
  const std::string name = file.filename().string();
  const bool gzip = name.ends_with(".nii.gz");
  if (!gzip && !name.ends_with(".nii"))
    return fail(ExitCode::Usage, "Could not write " + file.string() + ": NIfTI files are called .nii or .nii.gz.");
  if (volume.voxels.size() != static_cast<std::size_t>(volume.grid().voxelCount() * volume.header.timePoints))
    return fail(ExitCode::Internal, "Could not write " + file.string() + ": the number of voxels does not fit the grid.");
  const auto header = encodeNifti1(volume.header, storage);
  if (!header)
    return fail(header.error().code, "Could not write " + file.string() + ": " + header.error().message);
  auto target = ByteTarget::create(file, gzip ? Compression::Gzip : Compression::None);
  if (!target)
    return fail(target.error());
  if (auto status = target->write(*header); !status)
    return status;
  constexpr std::size_t kBlock = 1 << 19; // voxels
  std::vector<std::byte> bytes;
  const std::span<const float> voxels(volume.voxels);
  for (std::size_t at = 0; at < voxels.size(); at += kBlock) {
    bytes.clear();
    encodeVoxels(voxels.subspan(at, std::min(kBlock, voxels.size() - at)), storage, bytes);
    if (auto status = target->write(bytes); !status)
      return status;
  }
  return target->finish();
}

} // namespace voxlab
