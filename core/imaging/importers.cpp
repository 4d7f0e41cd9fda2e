// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/importers.h"
#include "core/imaging/dicom_importer.h"
#include "core/imaging/gipl_io.h"
#include "core/imaging/metaimage_io.h"
#include "core/imaging/mgh_io.h"
#include "core/imaging/nifti_io.h"
#include "core/imaging/nrrd_io.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kProbeBytes = 1024;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}
} // namespace

const std::vector<Importer>& importers() {
  static const std::vector<Importer> list{
      niftiImporter(),
      nrrdImporter(),
      metaImageImporter(),
      giplImporter(),
      dicomImporter(),
      mghImporter(), // has no magic: asked last
  };
  return list;
}

namespace {
// Formats that people have and that nobody here reads: what they are, and what makes a volume of them.
struct Foreign {
  const char *ending, *magic, *words;
};
constexpr Foreign kForeign[]{{".mnc", "", "MINC, which is not read here; mnc2nii makes a NIfTI file of it"},
                             {".mnc.gz", "", "MINC, which is not read here; mnc2nii makes a NIfTI file of it"},
                             {".brik", "", "AFNI's BRIK, which is not read here; 3dAFNItoNIFTI makes a NIfTI file of it"},
                             {".brik.gz", "", "AFNI's BRIK, which is not read here; 3dAFNItoNIFTI makes a NIfTI file of it"},
                             {".head", "", "AFNI's HEAD, which is not read here; 3dAFNItoNIFTI makes a NIfTI file of it"},
                             {".par", "", "Philips' PAR/REC, which is not read here; dcm2niix makes a NIfTI file of it"},
                             {".rec", "", "Philips' PAR/REC, which is not read here; dcm2niix makes a NIfTI file of it"},
                             {".mif", "", "MRtrix' format, which is not read here; mrconvert makes a NIfTI file of it"},
                             {".gii", "", "GIFTI, which holds surfaces and no volume"},
                             {".zip", "PK\x03\x04", "a ZIP archive; unpack it and open what it holds"}};

const Foreign* foreignFormatOf(const FileProbe& probe) {
  for (const Foreign& format : kForeign)
    if (probe.nameEndsWith(format.ending) || (*format.magic != 0 && probe.text().starts_with(format.magic)))
      return &format;
  return nullptr;
}
} // namespace

Result<FileProbe> probeFile(const std::filesystem::path& file) {
  FileProbe probe;
  probe.file = file;
  probe.lowerName = lower(file.filename().string());
  std::error_code ec;
  probe.isFolder = std::filesystem::is_directory(file, ec);
  if (probe.isFolder)
    return probe;
  auto source = FileBytes::open(file);
  if (!source)
    return fail(source.error());
  probe.start.resize(kProbeBytes);
  const auto got = source->read(probe.start);
  // What is damaged that early is for the importer that the name speaks of to explain.
  probe.start.resize(got ? *got : 0);
  return probe;
}

Result<const Importer*> importerFor(const std::filesystem::path& file) {
  const auto probe = probeFile(file);
  if (!probe)
    return fail(probe.error());
  for (const auto& importer : importers())
    if (importer.recognises(*probe))
      return &importer;
  // By name, so that damaged files are spoken of as what they are meant to be.
  for (const auto& importer : importers())
    if (std::any_of(importer.endings.begin(), importer.endings.end(), [&](const auto& ending) { return probe->nameEndsWith(ending); }))
      return &importer;
  if (const Foreign* format = foreignFormatOf(*probe))
    return fail(ExitCode::Data, "Could not read " + file.string() + ": it is " + format->words + ".");
  std::string known;
  for (const auto& importer : importers())
    known += (known.empty() ? "" : ", ") + std::string(importer.name);
  return fail(ExitCode::Data, "Could not read " + file.string() + ": it is no volume in a format that is known here (" + known + ").");
}

std::vector<std::string> volumeEndings() {
  std::vector<std::string> endings;
  for (const auto& importer : importers())
    endings.insert(endings.end(), importer.endings.begin(), importer.endings.end());
  std::stable_sort(endings.begin(), endings.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return endings;
}

bool isNamedLikeVolume(const std::filesystem::path& file) {
  const std::string name = lower(file.filename().string());
  const auto endings = volumeEndings();
  return std::any_of(endings.begin(), endings.end(), [&](const auto& ending) { return name.ends_with(ending); });
}

std::string volumeStem(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const auto& ending : volumeEndings())
    if (lower(name).ends_with(ending))
      return name.substr(0, name.size() - ending.size());
  return file.stem().string();
}

} // namespace voxlab
