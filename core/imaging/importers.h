// SPDX-License-Identifier: Apache-2.0
// The list of volume formats that can be read. A new one is its own .cpp and one line in importers.cpp.
#pragma once
#include "core/imaging/voxel_sink.h"
#include <span>

namespace voxlab {

// What is known of a file before anybody reads it.
struct FileProbe {
  std::filesystem::path file;
  std::string lowerName;        // file name in lower case
  std::vector<std::byte> start; // its first bytes, decompressed where the content is gzip; empty for a folder
  bool isFolder = false;
  bool nameEndsWith(std::string_view ending) const { return lowerName.ends_with(ending); }
  std::string_view text() const { return {reinterpret_cast<const char*>(start.data()), start.size()}; }
};

struct Importer {
  const char* name;
  std::vector<std::string> endings;            // usual name endings, for file dialogs and folder scans
  bool (*recognises)(const FileProbe& probe);  // by content; asked first. Names decide only where no content does
  // Header, and the voxels too if there is a sink. Fails with Data, Stopped or OutOfMemory.
  Result<VolumeHeader> (*read)(const std::filesystem::path& file, const ReadOptions& options, VoxelSink* sink);
};

const std::vector<Importer>& importers(); // asked in this order
Result<FileProbe> probeFile(const std::filesystem::path& file);
Result<const Importer*> importerFor(const std::filesystem::path& file); // fails with Data when nobody knows the format

// Name endings of every format, ".nii.gz" before ".nii"; and whether a file is called like a volume.
std::vector<std::string> volumeEndings();
bool isNamedLikeVolume(const std::filesystem::path& file);
// The file name without its ending: "case_t1.nii.gz" → "case_t1".
std::string volumeStem(const std::filesystem::path& file);

} // namespace voxlab
