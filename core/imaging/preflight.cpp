// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/preflight.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace voxlab {
namespace {
std::string listed(const std::set<std::int64_t>& values) {
  std::string out;
  std::size_t n = 0;
  for (const std::int64_t value : values) {
    if (n++ == 10)
      return out + " …";
    out += (out.empty() ? "" : ", ") + std::to_string(value);
  }
  return out;
}

// What is found out about one case; joined in the cases' order, so that reports are the same for any number of threads.
struct CaseReport {
  std::vector<Finding> findings;
  std::string axes;                // of the first image that could be read
  std::set<std::int64_t> unknown;  // labels that no channel stands for
  std::set<std::int64_t> missing;
  bool maskRead = false;
};

class CaseCheck {
public:
  CaseCheck(const DatasetCase& entry, const PreflightOptions& options) : m_case(entry), m_options(options) {}

  CaseReport run(const std::function<void()>& fileDone) {
    std::optional<Examined> mask;
    if (!m_case.files.mask.empty()) {
      mask = examine(m_case.files.mask);
      if (mask)
        checkMask(*mask);
      fileDone();
    }
    std::set<bool> scaled;
    for (const auto& file : m_case.files.images) {
      if (const auto image = examine(file)) {
        checkImage(file, *image, mask);
        scaled.insert(image->census.minimum >= -1.001 && image->census.minimum < 0 && image->census.maximum <= 1.001);
      }
      fileDone();
    }
    if (m_options.recipe == "published_brats" && scaled.size() > 1)
      add(Severity::Error, m_case.files.mask, "Some images of this case lie in [-1, 1] and others do not: convert all or none.");
    return std::move(m_report);
  }

private:
  void add(Severity severity, const std::filesystem::path& file, const std::string& message) {
    m_report.findings.push_back({severity, file, m_case.subject, message});
  }

  std::optional<Examined> examine(const std::filesystem::path& file) {
    auto examined = examineVolume(file, m_options.cancel);
    if (!examined) {
      if (examined.error().code != ExitCode::Stopped)
        add(Severity::Error, file, examined.error().message);
      return std::nullopt;
    }
    const auto& [header, census] = *examined;
    if (census.finite == 0)
      add(Severity::Error, file, "None of its voxels is a number.");
    else if (census.nonFinite > 0)
      add(Severity::Warning, file, formatCount(static_cast<std::int64_t>(census.nonFinite)) + " voxels are NaN or infinite.");
    if (header.timePoints > 1)
      add(Severity::Warning, file, "It has " + std::to_string(header.timePoints) + " time points; only the first is used.");
    for (const auto& note : header.notes)
      if (note.find("left-handed") == std::string::npos) // common, and of no consequence
        add(Severity::Warning, file, note);
    return std::move(*examined);
  }

  void checkMask(const Examined& mask) {
    const auto& [header, census] = mask;
    const auto& file = m_case.files.mask;
    if (census.finite == 0)
      return;
    m_report.maskRead = true;
    if (census.fractional * 100 > census.finite || census.labels.empty()) {
      add(Severity::Error, file, "It does not look like a label volume: many values are not whole numbers, or there are more than 4096 of them.");
      return;
    }
    if (census.fractional > 0)
      add(Severity::Warning, file, formatCount(static_cast<std::int64_t>(census.fractional)) + " voxels are not whole numbers; they are rounded.");
    if (m_options.labels.empty())
      return;
    const std::set<std::int64_t> wanted(m_options.labels.begin(), m_options.labels.end());
    const std::set<std::int64_t> present(census.labels.begin(), census.labels.end());
    std::set_difference(wanted.begin(), wanted.end(), present.begin(), present.end(), std::inserter(m_report.missing, m_report.missing.end()));
    for (const std::int64_t label : present)
      if (label > 0 && !wanted.contains(label) && !(m_options.recipe == "published_brats" && label == 4))
        m_report.unknown.insert(label);
    if (m_report.missing.size() == wanted.size())
      add(Severity::Error, file, "None of the labels " + listed(wanted) + " occurs in it.");
    else if (!m_report.missing.empty())
      add(Severity::Warning, file, "It has no voxel of label " + listed(m_report.missing) + ".");
  }

  void checkImage(const std::filesystem::path& file, const Examined& image, const std::optional<Examined>& mask) {
    const auto& [header, census] = image;
    if (census.finite > 0 && census.minimum == census.maximum)
      add(Severity::Error, file, "All voxels have the same value (" + formatSignificant(census.minimum) + ").");
    else if (!census.labels.empty() && census.labels.size() < 6 && census.fractional == 0)
      add(Severity::Warning, file, "It has only " + std::to_string(census.labels.size()) + " different values: is this a mask?");
    if (std::max(std::abs(census.minimum), std::abs(census.maximum)) > 1e12)
      add(Severity::Warning, file, "Its values reach from " + formatSignificant(census.minimum) + " to " + formatSignificant(census.maximum) + ".");
    if (m_report.axes.empty())
      m_report.axes = axisCodes(header.grid.affine);
    if (mask)
      checkGrids(file, header.grid, mask->header.grid);
  }

  void checkGrids(const std::filesystem::path& file, const Grid& image, const Grid& mask) {
    const Grid imageRas = reoriented(image, orderTowards(image.affine, "RAS")), maskRas = reoriented(mask, orderTowards(mask.affine, "RAS"));
    const bool reorients = m_options.recipe == "volume";
    if (reorients ? sameGrid(imageRas, maskRas) : sameGrid(image, mask))
      return;
    const std::string how = image.size != mask.size ? "Image and mask differ in size or axes: " + words(image) + " and " + words(mask)
                                                    : "Image and mask lie up to " + formatSignificant(*cornerDistance(image, mask)) + " mm apart";
    if (reorients && !overlap(image, mask))
      return add(Severity::Error, file, "Image and mask do not overlap in space.");
    if (reorients)
      return add(Severity::Warning, file, how + "; the image will be resampled onto the mask's grid.");
    const bool impossible = image.size != mask.size || m_options.recipe == "published_brats";
    add(impossible ? Severity::Error : Severity::Warning, file, how + ", and this recipe pairs them voxel by voxel.");
  }

  static std::string words(const Grid& g) {
    return std::to_string(g.size[0]) + "×" + std::to_string(g.size[1]) + "×" + std::to_string(g.size[2]) + " " + axisCodes(g.affine);
  }

  // Whether the boxes around both volumes touch.
  static bool overlap(const Grid& a, const Grid& b) {
    const auto box = [](const Grid& g) {
      std::array<Vec3, 2> out{Vec3{1e300, 1e300, 1e300}, Vec3{-1e300, -1e300, -1e300}};
      for (int corner = 0; corner < 8; ++corner) {
        Vec3 index;
        for (std::size_t axis = 0; axis < 3; ++axis)
          index[axis] = (corner >> axis) & 1 ? static_cast<double>(g.size[axis]) - 0.5 : -0.5;
        const Vec3 p = applyAffine(g.affine, index);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          out[0][axis] = std::min(out[0][axis], p[axis]);
          out[1][axis] = std::max(out[1][axis], p[axis]);
        }
      }
      return out;
    };
    const auto p = box(a), q = box(b);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (p[0][axis] > q[1][axis] || q[0][axis] > p[1][axis])
        return false;
    return true;
  }

  const DatasetCase& m_case;
  const PreflightOptions& m_options;
  CaseReport m_report;
};

// What only shows when all cases are seen together.
void addAcrossCases(const std::vector<CaseReport>& reports, const PreflightOptions& options, std::vector<Finding>& findings) {
  std::set<std::int64_t> unknown;
  std::map<std::int64_t, std::size_t> missing;
  std::map<std::string, std::size_t> axes;
  std::size_t masks = 0, withUnknown = 0;
  for (const auto& report : reports) {
    masks += report.maskRead;
    withUnknown += !report.unknown.empty();
    unknown.insert(report.unknown.begin(), report.unknown.end());
    for (const std::int64_t label : report.missing)
      ++missing[label];
    if (!report.axes.empty())
      ++axes[report.axes];
  }
  if (!unknown.empty())
    findings.push_back({Severity::Warning, {}, "",
                        "Labels " + listed(unknown) + " occur in " + std::to_string(withUnknown) + " of " + std::to_string(masks) +
                            " masks and belong to no condition channel; they count as background."});
  for (const auto& [label, count] : missing)
    if (count == masks && masks > 1)
      findings.push_back({Severity::Error, {}, "", "Label " + std::to_string(label) + " occurs in no mask at all."});
  if (axes.size() > 1 && options.recipe != "volume") {
    std::string kinds;
    for (const auto& [codes, count] : axes)
      kinds += (kinds.empty() ? "" : ", ") + codes + " (" + std::to_string(count) + ")";
    findings.push_back({Severity::Warning, {}, "", "The volumes are stored along different axes: " + kinds + "; this recipe does not turn them."});
  }
}
} // namespace

std::size_t PreflightReport::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.severity == severity; }));
}

Result<PreflightReport> preflight(const DatasetIndex& index, const PreflightOptions& options) {
  PreflightReport report;
  report.cases = index.cases.size();
  report.findings = index.findings;
  for (const auto& entry : index.cases)
    report.files += entry.files.images.size() + !entry.files.mask.empty();
  std::vector<CaseReport> reports(index.cases.size());
  std::atomic<std::size_t> next = 0;
  std::mutex progressMutex;
  std::size_t done = 0;
  const auto fileDone = [&] {
    const std::lock_guard lock(progressMutex);
    ++done;
    if (options.progress)
      options.progress(done, report.files);
  };
  const auto work = [&] {
    for (std::size_t n = next++; n < reports.size() && !options.cancel.stop_requested(); n = next++)
      reports[n] = CaseCheck(index.cases[n], options).run(fileDone);
  };
  const int cores = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
  {
    std::vector<std::jthread> helpers;
    for (int n = 1; n < (options.threads > 0 ? options.threads : cores); ++n)
      helpers.emplace_back(work);
    work();
  }
  if (options.cancel.stop_requested())
    return fail(ExitCode::Stopped, "Checking the dataset was cancelled.");
  for (const auto& one : reports)
    report.findings.insert(report.findings.end(), one.findings.begin(), one.findings.end());
  addAcrossCases(reports, options, report.findings);
  return report;
}

Json toJson(const PreflightReport& report) {
  Json findings = Json::array();
  for (const auto& finding : report.findings)
    findings.push_back(toJson(finding));
  return {{"passed", report.passed()},
          {"cases", report.cases},
          {"files", report.files},
          {"errors", report.count(Severity::Error)},
          {"warnings", report.count(Severity::Warning)},
          {"findings", findings}};
}

} // namespace voxlab
