// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/report_job.h"
#include "app/studio/workbench.h"
#include "core/analysis/experiment_report.h"
#include "core/imaging/display_range.h"
#include "core/imaging/volume_io.h"
#include "core/protocol/run_bundle.h"
#include "rendering/off_screen.h"
#include "widgets/models/saved_comparison.h"
#include "widgets/pages/report_pdf.h"
#include "widgets/pages/slice_picture.h"
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kMostPictures = 24;
constexpr int kSceneSize = 480;                   // pixels
constexpr std::int64_t kMostSceneVoxels = 16'000'000;

QString tr(const char* text) { return QCoreApplication::translate("ReportJob", text); }

Result<std::vector<fs::path>> runsOf(const ReportRequest& request, const fs::path& unpacked) {
  std::vector<fs::path> runs;
  for (const QString& path : request.runs) {
    if (Workbench::looksLikeBundle(path)) {
      const auto opened = unpackRuns(path.toStdString(), unpacked);
      if (!opened)
        return fail(opened.error());
      runs.insert(runs.end(), opened->runs.begin(), opened->runs.end());
    } else if (RunDirectory::looksLikeRun(path.toStdString())) {
      runs.emplace_back(path.toStdString());
    } else {
      return fail(ExitCode::Usage, tr("%1 is neither a run folder nor packed runs (.voxrun).").arg(path).toStdString());
    }
  }
  if (request.runs.isEmpty())
    for (const QFileInfo& folder : QDir(request.runsFolder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
      if (RunDirectory::looksLikeRun(folder.absoluteFilePath().toStdString()))
        runs.emplace_back(folder.absoluteFilePath().toStdString());
  return runs;
}

std::string pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toStdString();
}

QImage imageOf(const Picture& picture) {
  return QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height, picture.width * 4, QImage::Format_RGB32).copy();
}

// One scene for all volumes, in the range of the first, so that they may be held against each other.
class SceneDrawer {
public:
  explicit SceneDrawer(const std::function<void(const QString&)>& say) {
    auto opened = OffScreenWindow::open(kSceneSize, kSceneSize);
    if (!opened) {
      say(tr("No 3D pictures: %1").arg(QString::fromStdString(opened.error().message)));
      return;
    }
    m_window = std::move(*opened);
    m_scene.setRayCaster(VolumeScene::suitableRayCaster(m_window->openGlRenderer()));
    m_scene.setOrientationCube(Visibility::Hidden);
    if (const auto skin = transferPreset("skin"))
      m_scene.setTransfer(*skin);
  }
  std::optional<QImage> draw(const Volume& volume) {
    if (!m_window)
      return std::nullopt;
    const Histogram summary = histogramOf(volume.voxels);
    if (!m_range)
      m_range = robustRange(summary);
    m_scene.setVolume(makeRenderVolume(volume, 0, summary, kMostSceneVoxels));
    m_scene.setRange(*m_range);
    m_scene.lookFrom(LookFrom::Corner);
    return imageOf(m_window->draw(m_scene));
  }

private:
  std::unique_ptr<OffScreenWindow> m_window;
  VolumeScene m_scene;
  std::optional<DisplayRange> m_range;
};

// The seed and mask that most points have a volume of.
std::pair<std::optional<std::int64_t>, std::string> commonNoise(const std::vector<VolumePoint>& points) {
  std::map<std::pair<std::int64_t, std::string>, std::size_t> counts;
  for (const VolumePoint& point : points)
    for (const DrawnVolume& volume : point.samples)
      if (volume.seed)
        ++counts[{*volume.seed, volume.mask}];
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::pair<std::optional<std::int64_t>, std::string>() : std::pair<std::optional<std::int64_t>, std::string>(most->first.first, most->first.second);
}

std::vector<FigurePicture> picturesOf(const std::vector<VolumePoint>& points, const std::function<void(const QString&)>& say) {
  std::vector<FigurePicture> slices, scenes;
  const auto [seed, mask] = commonNoise(points);
  std::optional<SceneDrawer> drawer;
  for (const VolumePoint& point : points) {
    const auto volume = std::find_if(point.samples.begin(), point.samples.end(), [&](const DrawnVolume& v) { return v.seed == seed && v.mask == mask; });
    if (volume == point.samples.end() || slices.size() >= kMostPictures)
      continue;
    ReadOptions options;
    options.timePoint = 0;
    const auto read = readVolume(volume->file, options);
    if (!read) {
      say(QString::fromStdString(read.error().message));
      continue;
    }
    slices.push_back({point.name(), pngOf(middleSlice(*read, SlicePlane::Axial))});
    if (!drawer)
      drawer.emplace(say);
    if (const auto scene = drawer->draw(*read))
      scenes.push_back({point.name() + ", 3D", pngOf(*scene)});
  }
  slices.insert(slices.end(), std::make_move_iterator(scenes.begin()), std::make_move_iterator(scenes.end()));
  return slices;
}
} // namespace

Status writeComparisonReport(const ReportRequest& request, const std::function<void(const QString&)>& say) {
  if (!request.file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
    return fail(ExitCode::Usage, tr("--report writes a .pdf; voxlab-worker compare writes HTML, CSV, JSON, text and Markdown.").toStdString());
  const QTemporaryDir unpacked;
  const auto runs = runsOf(request, unpacked.path().toStdString());
  if (!runs)
    return fail(runs.error());
  ComparisonSet set = gatherComparison(*runs);
  for (const std::string& note : set.notes)
    say(QString::fromStdString(note));
  ExperimentReportOptions options;
  if (const auto saved = ComparisonShelf(request.runsFolder.toStdString()).load(ComparisonShelf::lastUsed())) { // names, notes, order and prices as on the page
    set = dressed(std::move(set), saved->dress);
    options.deployment = {saved->samplingSteps, saved->trainingSteps, saved->prices};
    options.currency = saved->currency.toStdString();
    if (baselineAmong(set.training, set, saved->baseline.toStdString()) || baselineAmong(set.sampling, set, saved->baseline.toStdString()))
      options.baseline = saved->baseline.toStdString();
  }
  options.pictures = picturesOf(set.points, say);
  const auto report = experimentReport(set, options);
  if (!report)
    return fail(report.error());
  return writeReportPdf(*report, request.file);
}

} // namespace voxlab
