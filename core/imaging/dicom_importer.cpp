// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dicom_importer.h"
#include "core/base/text.h"
#include "core/imaging/dicom_pixels.h"
#include "core/imaging/dicom_times.h"
#include "core/imaging/geometry.h"
#include "core/imaging/slice_spacing.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kNamed = 3; // places in a note; the rest are counted
constexpr auto kInstance = dicomTag(0x0020, 0x0013), kThickness = dicomTag(0x0018, 0x0050), kDistance = dicomTag(0x0018, 0x0088),
               kPosition = dicomTag(0x0020, 0x0032), kOrientation = dicomTag(0x0020, 0x0037), kSpacing = dicomTag(0x0028, 0x0030),
               kDetectorSpacing = dicomTag(0x0018, 0x1164), kDescription = dicomTag(0x0008, 0x103e), kSlope = dicomTag(0x0028, 0x1053),
               kIntercept = dicomTag(0x0028, 0x1052);
constexpr std::array kTimeCounters{dicomTag(0x0020, 0x0100), dicomTag(0x0020, 0x0012), dicomTag(0x0018, 0x0086), dicomTag(0x0018, 0x1060)};

tl::unexpected<Error> bad(const fs::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}
tl::unexpected<Error> cancelled(const fs::path& what) { return fail(ExitCode::Stopped, "Reading " + what.string() + " was cancelled."); }

struct OpenFile {
  fs::path path;
  DicomStructure structure;
  DicomPixels pixels;
};

// One frame of one file and where it lies; LPS as in the file.
struct Slice {
  std::size_t file = 0, frame = 0;
  Vec3 position{}, alongColumns{1, 0, 0}, alongRows{0, 1, 0}; // unit steps along i and j
  double spacingI = 1, spacingJ = 1, slope = 1, intercept = 0;
  double along = 0; // position on the normal, mm
  double instance = 0;
  bool isMissing = false; // a place in a series over time that no file fills
};

Vec3 cross(const Vec3& x, const Vec3& y) { return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}; }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A set of slices that makes a volume.
class Stack {
public:
  explicit Stack(fs::path what) : m_what(std::move(what)) {}

  Status open(const std::vector<fs::path>& files, const std::stop_token& cancel) {
    for (const auto& file : files) {
      if (cancel.stop_requested())
        return cancelled(m_what);
      auto structure = walkDicom(file);
      if (!structure)
        return fail(structure.error());
      auto pixels = describePixels(*structure, file);
      if (!pixels)
        return fail(pixels.error());
      m_files.push_back({file, std::move(*structure), *pixels});
      addSlices(m_files.size() - 1);
    }
    if (auto status = order(); !status)
      return status;
    return describe();
  }

  const VolumeHeader& header() const { return m_header; }

  Status pass(const ReadOptions& options, VoxelSink& sink) const {
    if (options.timePoint && (*options.timePoint < 0 || *options.timePoint >= m_header.timePoints))
      return fail(ExitCode::Data, "There is no time point " + std::to_string(*options.timePoint) + " in " + m_what.string() + ".");
    const std::size_t first = static_cast<std::size_t>(options.timePoint.value_or(0)) * m_positions;
    const std::size_t last = options.timePoint ? first + m_positions : m_slices.size();
    const std::uint64_t voxels = static_cast<std::uint64_t>(m_header.grid.voxelCount()) * ((last - first) / m_positions);
    if (voxels * sink.bytesPerVoxel() > options.memoryLimitBytes)
      return fail(ExitCode::OutOfMemory, "Opening " + m_what.string() + " takes " + formatBytes(static_cast<double>(voxels * sink.bytesPerVoxel())) +
                                             ", and the limit is " + formatBytes(static_cast<double>(options.memoryLimitBytes)) + ".");
    sink.reserve(static_cast<std::size_t>(voxels));
    std::optional<DicomFrames> frames;
    std::size_t open = m_files.size();
    for (std::size_t n = first; n < last; ++n) {
      if (options.cancel.stop_requested())
        return cancelled(m_what);
      const Slice& slice = m_slices[n];
      if (slice.isMissing) {
        passEmpty(sink);
        passMissing(n % m_positions, sink);
        continue;
      }
      if (slice.file != open) {
        const OpenFile& file = m_files[open = slice.file];
        frames.emplace(file.structure, file.pixels, file.path, options.cancel);
      }
      if (auto status = frames->pass(slice.frame, slice.slope, slice.intercept, sink); !status)
        return status;
      passMissing(n % m_positions, sink);
      if (options.progress)
        options.progress(static_cast<double>(n + 1 - first) / static_cast<double>(last - first));
    }
    return {};
  }

private:
  // A slice that is not there: unknown is not zero.
  void passEmpty(VoxelSink& sink) const {
    const std::vector<float> nothing(static_cast<std::size_t>(m_files[0].pixels.voxelsPerFrame()), std::numeric_limits<float>::quiet_NaN());
    sink.append({RawType::Float32, ByteOrder::Native, 1, 0, reinterpret_cast<const std::byte*>(nothing.data()), nothing.size()});
  }

  // The slices that are missing after this position.
  void passMissing(std::size_t position, VoxelSink& sink) const {
    for (std::size_t step = 1; position < m_spacing.steps.size() && step < m_spacing.steps[position]; ++step)
      passEmpty(sink);
  }

  void addSlices(std::size_t index) {
    const DicomStructure& s = m_files[index].structure;
    for (std::size_t frame = 0; frame < static_cast<std::size_t>(m_files[index].pixels.frames); ++frame) {
      Slice slice;
      slice.file = index;
      slice.frame = frame;
      slice.instance = s.number(kInstance);
      if (const auto o = s.numbersOfFrame(kOrientation, frame); o.size() == 6) {
        slice.alongColumns = {o[0], o[1], o[2]};
        slice.alongRows = {o[3], o[4], o[5]};
      }
      auto spacing = s.numbersOfFrame(kSpacing, frame);
      if (spacing.size() < 2)
        spacing = s.numbers(kDetectorSpacing);
      if (spacing.size() >= 2) { // between rows, between columns
        slice.spacingJ = spacing[0];
        slice.spacingI = spacing[1];
      }
      place(s, slice);
      if (const auto slope = s.numbersOfFrame(kSlope, frame); !slope.empty() && slope[0] != 0 && std::isfinite(slope[0]))
        slice.slope = slope[0];
      if (const auto intercept = s.numbersOfFrame(kIntercept, frame); !intercept.empty() && std::isfinite(intercept[0]))
        slice.intercept = intercept[0];
      m_slices.push_back(slice);
    }
  }

  // Old multi-frame files give one position; their frames follow along the normal.
  void place(const DicomStructure& s, Slice& slice) const {
    const auto p = s.numbersOfFrame(kPosition, slice.frame);
    if (p.size() == 3)
      slice.position = {p[0], p[1], p[2]};
    const auto own = s.grouped.find(kPosition);
    if (own != s.grouped.end() && own->second.size() > 1)
      return;
    const Vec3 normal = cross(slice.alongColumns, slice.alongRows);
    for (std::size_t w = 0; w < 3; ++w)
      slice.position[w] += normal[w] * thickness(s) * static_cast<double>(slice.frame);
  }

  static double thickness(const DicomStructure& s) {
    for (const auto tag : {kDistance, kThickness})
      if (const auto value = s.numbersOfFrame(tag, 0); !value.empty() && value[0] > 0)
        return value[0];
    return 1;
  }

  // By position, then by instance number; as many at each position become time points.
  Status order() {
    const Slice& first = m_slices.front();
    const Vec3 normal = cross(first.alongColumns, first.alongRows);
    for (Slice& slice : m_slices) {
      const auto& pixels = m_files[slice.file].pixels;
      const auto& expected = m_files[first.file].pixels;
      if (pixels.columns != expected.columns || pixels.rows != expected.rows)
        return bad(m_files[slice.file].path, "its size differs from the other slices'");
      for (std::size_t w = 0; w < 3; ++w)
        if (!(std::abs(slice.alongColumns[w] - first.alongColumns[w]) < 1e-3 && std::abs(slice.alongRows[w] - first.alongRows[w]) < 1e-3))
          return bad(m_files[slice.file].path, "it is oriented differently from the other slices");
      slice.along = dot(normal, slice.position);
      if (!std::isfinite(slice.along))
        return bad(m_files[slice.file].path, "its position is not a number");
    }
    std::stable_sort(m_slices.begin(), m_slices.end(), [](const Slice& a, const Slice& b) { return a.along < b.along; });
    std::vector<std::size_t> counts;
    for (std::size_t n = 0; n < m_slices.size(); ++n)
      if (n == 0 || m_slices[n].along - m_slices[n - 1].along > 1e-3)
        counts.push_back(1);
      else
        ++counts.back();
    m_positions = counts.size();
    for (std::size_t k = 0, n = 0; k < m_positions; n += counts[k++])
      m_places.push_back(m_slices[n]);
    const std::size_t times = counts.front();
    if (std::any_of(counts.begin(), counts.end(), [&](std::size_t c) { return c != times; }))
      return orderWithGaps(counts);
    for (std::size_t k = 0; k < m_positions; ++k) {
      const auto begin = m_slices.begin() + static_cast<std::ptrdiff_t>(k * times);
      std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(times), [](const Slice& a, const Slice& b) { return a.instance < b.instance; });
    }
    std::vector<Slice> byTime;
    for (std::size_t t = 0; t < times; ++t)
      for (std::size_t k = 0; k < m_positions; ++k)
        byTime.push_back(m_slices[k * times + t]);
    m_slices = std::move(byTime);
    return {};
  }

  // A series over time that lacks slices here and there: each that is there goes to its own time point.
  Status orderWithGaps(const std::vector<std::size_t>& counts) {
    std::vector<TimedSlice> timed;
    for (std::size_t k = 0, n = 0; k < m_positions; ++k)
      for (std::size_t last = n + counts[k]; n < last; ++n) {
        const DicomStructure& s = m_files[m_slices[n].file].structure;
        TimedSlice slice{k, m_slices[n].instance, {}};
        for (const auto tag : kTimeCounters)
          slice.counters.push_back(s.text(tag).empty() ? std::nullopt : std::optional(s.number(tag)));
        timed.push_back(std::move(slice));
      }
    const auto times = timePointsOf(timed, m_positions);
    if (!times)
      return bad(m_what, "not every position of its slices occurs equally often; the series is incomplete or mixed");
    std::vector<Slice> byTime((*std::max_element(times->begin(), times->end()) + 1) * m_positions);
    for (Slice& slice : byTime)
      slice.isMissing = true;
    for (std::size_t n = 0; n < timed.size(); ++n)
      byTime[(*times)[n] * m_positions + timed[n].position] = m_slices[n];
    m_slices = std::move(byTime);
    return {};
  }

  // Of single time points; slices that no time point has are told by their distance.
  void noteMissingInTime() {
    std::string places;
    std::size_t missing = 0;
    for (std::size_t n = 0; n < m_slices.size(); ++n)
      if (m_slices[n].isMissing && ++missing <= kNamed)
        places += (places.empty() ? "slice " : "; slice ") + std::to_string(sliceNumber(n % m_positions)) + " of time point " + std::to_string(n / m_positions + 1);
    if (missing == 0)
      return;
    if (missing > kNamed)
      places += "; and " + std::to_string(missing - kNamed) + " more";
    m_header.notes.push_back(std::to_string(missing) + (missing == 1 ? " slice is" : " slices are") + " missing from single time points: " + places + ". " +
                             (missing == 1 ? "Its place is" : "Their places are") + " left empty.");
  }

  // Of a position on the grid, counted from 1.
  std::size_t sliceNumber(std::size_t position) const {
    return std::accumulate(m_spacing.steps.begin(), m_spacing.steps.begin() + static_cast<std::ptrdiff_t>(position), std::size_t{1});
  }

  // Steps between slices from the first to the last position, so that tilted gantries keep their shear.
  Affine affine() const {
    const Slice& first = m_places.front();
    const Slice& last = m_places.back();
    const Vec3 normal = cross(first.alongColumns, first.alongRows);
    const double steps = static_cast<double>(m_spacing.slices()) - 1;
    Affine lps = kIdentityAffine;
    for (std::size_t w = 0; w < 3; ++w) {
      const double step = m_positions > 1 ? (last.position[w] - first.position[w]) / steps : normal[w] * thickness(m_files[first.file].structure);
      lps[w] = {first.alongColumns[w] * first.spacingI, first.alongRows[w] * first.spacingJ, step, first.position[w]};
    }
    return rasFromLps(lps);
  }

  double gapAfter(std::size_t position) const { return m_places[position + 1].along - m_places[position].along; }

  // "im04.dcm and im06.dcm, which are 4.00 mm apart"
  std::string gapInWords(std::size_t position) const {
    const fs::path &before = m_files[m_places[position].file].path, &after = m_files[m_places[position + 1].file].path;
    const std::string apart = formatSignificant(gapAfter(position)) + " mm apart";
    if (before == after)
      return "frames " + std::to_string(m_places[position].frame + 1) + " and " + std::to_string(m_places[position + 1].frame + 1) + ", which are " + apart;
    return before.filename().string() + " and " + after.filename().string() + ", which are " + apart;
  }

  void noteMissing() {
    const std::size_t slices = m_spacing.slices(), missing = slices - m_positions;
    std::string places;
    std::size_t place = 1, gaps = 0; // counted from 1
    for (std::size_t k = 0; k < m_spacing.steps.size(); place += m_spacing.steps[k++]) {
      if (m_spacing.steps[k] < 2 || ++gaps > kNamed)
        continue;
      places += (places.empty() ? "" : "; ") + std::string(m_spacing.steps[k] == 2 ? "slice " : "slices ") + std::to_string(place + 1);
      if (m_spacing.steps[k] > 2)
        places += " to " + std::to_string(place + m_spacing.steps[k] - 1);
      places += ", between " + gapInWords(k);
    }
    if (gaps > kNamed)
      places += "; and in " + std::to_string(gaps - kNamed) + " more places";
    m_header.notes.push_back(std::to_string(missing) + " of " + std::to_string(slices) + (missing == 1 ? " slices is" : " slices are") + " missing: " + places +
                             ". The usual distance is " + formatSignificant(m_spacing.step_mm) + " mm. " +
                             (missing == 1 ? "Its place is" : "Their places are") + " left empty, so that millimetres hold.");
  }

  void noteSpacing() {
    if (m_spacing.slices() > m_positions)
      noteMissing();
    if (m_spacing.isEven)
      return;
    std::size_t widest = 0;
    for (std::size_t k = 1; k + 1 < m_positions; ++k)
      if (gapAfter(k) > gapAfter(widest))
        widest = k;
    m_header.notes.push_back("The slices are unevenly spaced; the widest gap is between slices " + std::to_string(widest + 1) + " and " +
                             std::to_string(widest + 2) + " (" + gapInWords(widest) + "). They are shown at an even " +
                             formatSignificant(m_spacing.step_mm) + " mm, up to " + formatSignificant(m_spacing.off_mm) +
                             " mm off their places: do not trust lengths across slices.");
  }

  Status describe() {
    const Slice& first = m_places.front();
    const OpenFile& file = m_files[first.file];
    std::vector<double> along_mm;
    for (const Slice& place : m_places)
      along_mm.push_back(place.along);
    m_spacing = spacingOfSlices(along_mm);
    m_header.format = "DICOM";
    m_header.description = file.structure.text(kDescription);
    m_header.grid.size = {file.pixels.columns, file.pixels.rows, static_cast<std::int64_t>(m_spacing.slices())};
    m_header.grid.affine = affine();
    m_header.timePoints = static_cast<std::int64_t>(m_slices.size() / m_positions);
    m_header.storedType = voxelTypeOf(file.pixels.type);
    m_header.components = componentsOf(file.pixels.type);
    m_header.slope = first.slope;
    m_header.intercept = first.intercept;
    if (!isUsable(m_header.grid.affine) || !checkedVoxelCount(m_header.grid.size, m_header.timePoints))
      return bad(m_what, "its axes or spacing are not usable");
    noteSpacing();
    noteMissingInTime();
    if (file.structure.numbersOfFrame(kOrientation, 0).size() != 6)
      m_header.notes.push_back("The file does not say how it is oriented; rows were taken to run to the left, columns to the back.");
    if (m_header.components >= 3)
      m_header.notes.push_back("Colours were turned into brightness.");
    for (auto& note : geometryNotes(m_header.grid))
      m_header.notes.push_back(std::move(note));
    return {};
  }

  fs::path m_what;
  std::vector<OpenFile> m_files;
  std::vector<Slice> m_slices; // position by position within each time point
  std::vector<Slice> m_places; // one of each position, of whichever time point
  std::size_t m_positions = 0;
  SliceSpacing m_spacing;
  VolumeHeader m_header;
};

Result<VolumeHeader> readFiles(const std::vector<fs::path>& files, const fs::path& what, const ReadOptions& options, VoxelSink* sink) {
  Stack stack(what);
  if (auto status = stack.open(files, options.cancel); !status)
    return fail(status.error());
  if (sink)
    if (auto status = stack.pass(options, *sink); !status)
      return fail(status.error());
  return stack.header();
}

// What of the folder could not be read stands beside what was, or explains why the rest makes no volume.
Result<VolumeHeader> readSeries(const DicomSeries& series, const fs::path& what, const ReadOptions& options, VoxelSink* sink) {
  auto header = readFiles(series.files, what, options, sink);
  if (header)
    header->notes.insert(header->notes.begin(), series.notes.begin(), series.notes.end());
  else if (header.error().code == ExitCode::Data)
    for (const auto& note : series.notes)
      header.error().message += " " + note;
  return header;
}

bool recognises(const FileProbe& probe) {
  return probe.isFolder || (probe.start.size() >= 132 && probe.text().substr(128, 4) == "DICM");
}

Result<VolumeHeader> readDicom(const fs::path& file, const ReadOptions& options, VoxelSink* sink) {
  std::error_code ec;
  if (!fs::is_directory(file, ec))
    return readFiles({file}, file, options, sink);
  const auto series = listDicomSeries(file, options.cancel);
  if (!series)
    return fail(series.error());
  auto header = readSeries(series->front(), file, options, sink);
  if (header && series->size() > 1)
    header->notes.push_back("The folder holds " + std::to_string(series->size()) + " series; the longest was opened" +
                            (series->front().description.empty() ? "" : " (" + series->front().description + ")") + ".");
  return header;
}
} // namespace

Result<Volume> readDicomSeries(const DicomSeries& series, const ReadOptions& options) {
  if (series.files.empty())
    return fail(ExitCode::Data, "The DICOM series has no files.");
  try {
    VectorSink<float> sink;
    auto header = readSeries(series, series.files.front().parent_path(), options, &sink);
    if (!header)
      return fail(header.error());
    if (options.timePoint)
      header->timePoints = 1;
    return Volume{std::move(*header), std::move(sink.voxelsTaken)};
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::OutOfMemory, "There is not enough memory to open " + series.files.front().parent_path().string() + ".");
  }
}

Importer dicomImporter() { return {"DICOM", {".dcm", ".ima"}, recognises, readDicom}; }

} // namespace voxlab
