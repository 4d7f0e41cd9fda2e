// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dicom_folder.h"
#include "core/imaging/dicom_importer.h"
#include "core/imaging/dicom_pixels.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr auto kSeriesUid = dicomTag(0x0020, 0x000e), kSeriesNumber = dicomTag(0x0020, 0x0011), kDescription = dicomTag(0x0008, 0x103e),
               kModality = dicomTag(0x0008, 0x0060), kOrientation = dicomTag(0x0020, 0x0037), kRows = dicomTag(0x0028, 0x0010),
               kColumns = dicomTag(0x0028, 0x0011), kSpacing = dicomTag(0x0028, 0x0030), kThickness = dicomTag(0x0018, 0x0050),
               kDistance = dicomTag(0x0018, 0x0088), kStudyDate = dicomTag(0x0008, 0x0020), kSeriesDate = dicomTag(0x0008, 0x0021);
constexpr std::size_t kNamed = 3; // files in a note; the rest are counted

// Scouts with several orientations and sizes share a series: keep together what fits together.
std::string seriesOf(const DicomStructure& tags) {
  return tags.text(kSeriesUid) + "." + tags.text(kSeriesNumber) + "." + tags.text(kRows) + "x" + tags.text(kColumns) + "." + tags.text(kOrientation);
}

// Of a file that could not be read: whether it was to be a slice. An interrupted copy leaves empty files.
bool isMeantAsDicom(const fs::path& file) {
  const Importer dicom = dicomImporter();
  if (const auto probe = probeFile(file); probe && dicom.recognises(*probe))
    return true;
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::error_code ec;
  return std::find(dicom.endings.begin(), dicom.endings.end(), ending) != dicom.endings.end() ||
         (ending.empty() && !file.filename().string().starts_with('.') && fs::file_size(file, ec) == 0 && !ec);
}

// "20190307" → "2019-03-07"; older files write 2019.03.07.
std::string dateOf(const DicomStructure& tags) {
  std::string digits = tags.text(kSeriesDate).empty() ? tags.text(kStudyDate) : tags.text(kSeriesDate);
  std::erase(digits, '.');
  if (digits.size() != 8 || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    return {};
  return digits.substr(0, 4) + "-" + digits.substr(4, 2) + "-" + digits.substr(6);
}

DicomSeries describedBy(const DicomStructure& tags, const DicomPixels& pixels) {
  DicomSeries series;
  series.id = seriesOf(tags);
  series.description = tags.text(kDescription);
  series.modality = tags.text(kModality);
  series.columns = pixels.columns;
  series.rows = pixels.rows;
  series.number = static_cast<std::int64_t>(tags.number(kSeriesNumber));
  series.date = dateOf(tags);
  if (const auto between = tags.numbersOfFrame(kSpacing, 0); between.size() >= 2) {
    series.spacing_mm[0] = between[1];
    series.spacing_mm[1] = between[0];
  }
  for (const auto tag : {kDistance, kThickness})
    if (const auto value = tags.numbersOfFrame(tag, 0); series.spacing_mm[2] == 0 && !value.empty() && value[0] > 0)
      series.spacing_mm[2] = value[0];
  return series;
}

struct Unread {
  fs::path file;
  std::string message;
};

// "2 DICOM files of the folder could not be read and were left out: a.dcm (it is empty), b.dcm."
std::string unreadInWords(std::vector<Unread>& unread, const fs::path& folder) {
  std::sort(unread.begin(), unread.end(), [](const Unread& a, const Unread& b) { return a.file < b.file; });
  std::string text = std::to_string(unread.size()) + " DICOM file" + (unread.size() == 1 ? "" : "s") + " of the folder could not be read and " +
                     (unread.size() == 1 ? "was" : "were") + " left out: ";
  for (std::size_t n = 0; n < std::min(unread.size(), kNamed); ++n) {
    text += (n == 0 ? "" : ", ") + unread[n].file.lexically_relative(folder).string();
    const std::string start = "Could not read " + unread[n].file.string() + ": ";
    if (std::string why = unread[n].message; n == 0 && why.starts_with(start) && why.ends_with('.'))
      text += " (" + why.substr(start.size(), why.size() - start.size() - 1) + ")";
  }
  if (unread.size() > kNamed)
    text += " and " + std::to_string(unread.size() - kNamed) + " more";
  return text + ".";
}
} // namespace

Result<std::vector<DicomSeries>> listDicomSeries(const fs::path& folder, const std::stop_token& cancel, Subfolders subfolders) {
  std::map<std::string, DicomSeries> found;
  std::vector<Unread> unread;
  std::error_code ec;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not read " + folder.string() + ": " + ec.message() + ".");
  for (const fs::recursive_directory_iterator end; it != end && !ec; it.increment(ec)) {
    if (cancel.stop_requested())
      return fail(ExitCode::Stopped, "Reading " + folder.string() + " was cancelled.");
    std::error_code ignored;
    if (subfolders == Subfolders::LeftOut)
      it.disable_recursion_pending();
    if (!it->is_regular_file(ignored))
      continue;
    const auto tags = walkDicom(it->path());
    if (!tags) {
      if (isMeantAsDicom(it->path()))
        unread.push_back({it->path(), tags.error().message});
      continue;
    }
    const auto pixels = describePixels(*tags, it->path());
    if (!pixels) {
      if (tags->hasPixels || tags->number(kRows) >= 1) // others, as directories and reports, are no images
        unread.push_back({it->path(), pixels.error().message});
      continue;
    }
    DicomSeries& series = found.try_emplace(seriesOf(*tags), describedBy(*tags, *pixels)).first->second;
    series.files.push_back(it->path());
    series.images += pixels->frames;
  }
  const std::string notRead = unread.empty() ? std::string{} : unreadInWords(unread, folder);
  if (found.empty()) {
    const std::string none = "Could not read " + folder.string() + ": there is no DICOM image in this folder";
    return fail(ExitCode::Data, notRead.empty() ? none + "." : none + " that can be read. " + notRead);
  }
  std::vector<DicomSeries> out;
  for (auto& [id, series] : found) {
    if (!notRead.empty())
      series.notes.push_back(notRead);
    std::sort(series.files.begin(), series.files.end());
    out.push_back(std::move(series));
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.files.size() > b.files.size(); });
  return out;
}

bool isDicomFile(const fs::path& file) {
  std::error_code ec;
  if (!fs::is_regular_file(file, ec))
    return false;
  const auto probe = probeFile(file);
  return probe && dicomImporter().recognises(*probe);
}

Result<DicomSeries> dicomSeriesOf(const fs::path& file, const std::stop_token& cancel) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  auto all = listDicomSeries(folder, cancel, Subfolders::LeftOut);
  if (!all)
    return fail(all.error());
  for (DicomSeries& series : *all)
    for (const fs::path& member : series.files)
      if (member.filename() == file.filename())
        return std::move(series);
  return fail(ExitCode::Data, "Could not read " + file.string() + ": it holds no image.");
}

} // namespace voxlab
