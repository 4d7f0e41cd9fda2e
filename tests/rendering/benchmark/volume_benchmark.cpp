// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the 3D picture turns, and how far the two ray casters' pictures are apart: drawn off the screen, on a GPU where one gives
// OpenGL (without DISPLAY through EGL), each time from asking for the picture until glFinish. A phantom's head stands in where no file is named.
//   voxlab-volume-benchmark [--gpu | --cpu] [--pictures FOLDER] [FILE …]      (the ray caster is otherwise the one that the viewer chooses)
#include "core/imaging/volume_io.h"
#include "rendering/off_screen.h"
#include "tests/rendering/phantoms.h"
#include "tests/rendering/reference_image.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

using namespace voxlab;

namespace {

struct Sizes {
  int width, height;
};
constexpr Sizes kSizes[] = {{512, 512}, {1024, 1024}, {1920, 1080}};

struct Look {
  const char* title;
  Transfer transfer;
  CropBox crop;
};

std::vector<Look> looks() {
  const Transfer head = *transferPreset("mr_head");
  Transfer unlit = head;
  unlit.lighting = Lighting::Off;
  return {{"MR head", head, {}}, {"MR head, unlit", unlit, {}}, {"MR head, cropped", head, {{0, 0, 0}, {1, 0.6, 0.8}}}, {"MIP", *transferPreset("mip"), {}}, {"skin", *transferPreset("skin"), {}}};
}

struct Subject {
  std::string name;
  std::shared_ptr<const RenderVolume> volume;
  DisplayRange range;
};

std::int64_t voxelLimit(RayCaster caster) { return caster == RayCaster::Gpu ? 150'000'000 : 8'000'000; } // the viewer's

Subject subjectOf(std::string name, const Volume& volume, RayCaster caster) {
  const Histogram summary = histogramOf(volume.voxels);
  return {std::move(name), makeRenderVolume(volume, 0, summary, voxelLimit(caster)), robustRange(summary)};
}

// The tests' head, whose outer edge goes through a few voxels as a scan's does.
float softHeadAt(Vec3d p) {
  const double depth = 1 - (p.x * p.x / (24.0 * 24) + p.y * p.y / (28.0 * 28) + p.z * p.z / (22.0 * 22));
  return headAt(p) * static_cast<float>(std::clamp(depth / 0.08, 0.0, 1.0));
}

// Fills nine tenths of the grid.
Subject phantomOf(std::array<std::int64_t, 3> size, double spacing_mm, RayCaster caster) {
  const auto scale = [&](int axis, double semiAxis) { return semiAxis / (0.45 * spacing_mm * static_cast<double>(size[static_cast<std::size_t>(axis)])); };
  const double x = scale(0, 24), y = scale(1, 28), z = scale(2, 22);
  const auto volume = volumeOf(gridOf("RAS", size, {spacing_mm, spacing_mm, spacing_mm}), [&](Vec3d p) { return softHeadAt({p.x * x, p.y * y, p.z * z}); });
  char name[64];
  std::snprintf(name, sizeof name, "%lldx%lldx%lld", static_cast<long long>(size[0]), static_cast<long long>(size[1]), static_cast<long long>(size[2]));
  return subjectOf(name, *volume, caster);
}

void show(VolumeScene& scene, const Subject& subject, const Look& look) {
  scene.setVolume(subject.volume);
  scene.setRange(subject.range);
  scene.setTransfer(look.transfer);
  scene.setCropBox(look.crop);
  scene.lookFrom(LookFrom::Corner);
}

double share(const std::vector<double>& sorted, double of) { return sorted[static_cast<std::size_t>(of * static_cast<double>(sorted.size() - 1))]; }

// Turns as a drag does, at most `atMost` pictures or `patience_ms`.
std::vector<double> turn(OffScreenWindow& window, VolumeScene& scene, int atMost, double patience_ms) {
  std::vector<double> times_ms;
  for (double sum_ms = 0; static_cast<int>(times_ms.size()) < atMost && (sum_ms < patience_ms || times_ms.size() < 2); sum_ms += times_ms.back()) {
    scene.rotate(4, 0);
    times_ms.push_back(window.drawOnly_ms(scene));
    scene.frameDrawn(times_ms.back());
  }
  return times_ms;
}

constexpr const char* kHeadings = "                   pixels      first    still     half of the frames      95 %  slowest   pictures   pixels     mm along\n"
                                  "                               ms       ms        in ms, median       in ms    ms      a second  between rays   a ray\n";

// `times_ms` of a moving picture.
void printRow(const Look& look, Sizes size, double first_ms, double still_ms, std::vector<double> times_ms, const VolumeScene& moving) {
  const double all_ms = std::accumulate(times_ms.begin(), times_ms.end(), 0.0);
  std::sort(times_ms.begin(), times_ms.end());
  std::printf("  %-16s %4dx%-4d %8.1f %8.2f %7.2f-%-7.2f %7.2f %9.2f %8.2f %9.0f %9.2f %10.2f\n", look.title, size.width, size.height, first_ms, still_ms, share(times_ms, 0.25),
              share(times_ms, 0.75), share(times_ms, 0.5), share(times_ms, 0.95), times_ms.back(), 1000 * static_cast<double>(times_ms.size()) / all_ms, moving.imageSampleDistance(), moving.alongRay_mm());
  std::fflush(stdout);
}

void measure(OffScreenWindow& window, RayCaster caster, const Subject& subject, Sizes size) {
  constexpr int kAdapting = 40, kFrames = 300;
  constexpr double kPatience_ms = 1000;
  VolumeScene scene;
  scene.setRayCaster(caster);
  for (const Look& look : looks()) {
    show(scene, subject, look);
    scene.setQuality(RenderQuality::Still);
    const double first_ms = window.drawOnly_ms(scene); // brings volume and shaders to the device
    std::vector<double> still_ms = turn(window, scene, 20, kPatience_ms / 2);
    std::sort(still_ms.begin(), still_ms.end());
    scene.setQuality(RenderQuality::Moving);
    turn(window, scene, kAdapting, kPatience_ms);
    printRow(look, size, first_ms, share(still_ms, 0.5), turn(window, scene, kFrames, kPatience_ms), scene);
  }
}

struct Difference {
  double mean = 0, psnr_db = 0; // of the channels, 0…255, where either picture is not black
};

Difference differenceOf(const Picture& a, const Picture& b) {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (const int shift : {16, 8, 0}) {
      const int p = static_cast<int>(a.pixels[i] >> shift & 0xff), q = static_cast<int>(b.pixels[i] >> shift & 0xff);
      if (p <= 2 && q <= 2)
        continue;
      sum += std::abs(p - q);
      squares += (p - q) * (p - q);
      ++count;
    }
  return {sum / std::max(count, 1.0), squares > 0 ? 10 * std::log10(255.0 * 255 * count / squares) : INFINITY};
}

// The orientation cube is the same for both and left out.
void compare(const Subject& subject, const std::filesystem::path& pictures) {
  std::printf("\nMean difference of the channels (0 to 255) where there is anything, and PSNR, at 512x512\n"
              "                      GPU still, CPU still    GPU moving, GPU still    CPU moving, CPU still\n");
  for (const Look& look : looks()) {
    const auto drawn = [&](RayCaster caster, RenderQuality quality) {
      auto window = OffScreenWindow::open(512, 512);
      VolumeScene scene;
      scene.setOrientationCube(Visibility::Hidden);
      scene.setRayCaster(caster);
      show(scene, subject, look);
      scene.setQuality(quality);
      const Picture picture = (*window)->draw(scene);
      if (!pictures.empty())
        writePng(picture, pictures / (std::string(look.title) + (caster == RayCaster::Gpu ? " GPU" : " CPU") + (quality == RenderQuality::Still ? " still.png" : " moving.png")));
      return picture;
    };
    const Picture gpu = drawn(RayCaster::Gpu, RenderQuality::Still), cpu = drawn(RayCaster::Cpu, RenderQuality::Still);
    const Difference casters = differenceOf(gpu, cpu), gpuMoving = differenceOf(drawn(RayCaster::Gpu, RenderQuality::Moving), gpu),
                     cpuMoving = differenceOf(drawn(RayCaster::Cpu, RenderQuality::Moving), cpu);
    std::printf("  %-16s %10.2f %7.1f dB %14.2f %7.1f dB %14.2f %7.1f dB\n", look.title, casters.mean, casters.psnr_db, gpuMoving.mean, gpuMoving.psnr_db, cpuMoving.mean, cpuMoving.psnr_db);
    std::fflush(stdout);
  }
}

struct Wishes {
  std::optional<RayCaster> caster;
  std::filesystem::path pictures;
  std::vector<std::string> files;
};

Wishes wishesOf(int count, char** words) {
  Wishes wishes;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--gpu" || word == "--cpu")
      wishes.caster = word == "--gpu" ? RayCaster::Gpu : RayCaster::Cpu;
    else if (word == "--pictures" && i + 1 < count)
      wishes.pictures = words[++i];
    else
      wishes.files.push_back(word);
  }
  return wishes;
}

Result<std::vector<Subject>> subjectsOf(const std::vector<std::string>& files, RayCaster caster) {
  std::vector<Subject> subjects;
  for (const std::string& file : files) {
    const auto volume = readVolume(file, {});
    if (!volume)
      return fail(volume.error());
    subjects.push_back(subjectOf(file, *volume, caster));
  }
  if (files.empty())
    for (const auto& [size, spacing_mm] : {std::pair(std::array<std::int64_t, 3>{128, 128, 128}, 1.5), std::pair(std::array<std::int64_t, 3>{181, 217, 181}, 1.0),
                                           std::pair(std::array<std::int64_t, 3>{301, 370, 316}, 0.5)})
      subjects.push_back(phantomOf(size, spacing_mm, caster));
  return subjects;
}

} // namespace

int main(int argc, char** argv) {
  const Wishes wishes = wishesOf(argc, argv);
  auto probe = OffScreenWindow::open(16, 16);
  if (!probe) {
    std::fprintf(stderr, "%s\n", probe.error().message.c_str());
    return static_cast<int>(probe.error().code);
  }
  const std::string renderer = (*probe)->openGlRenderer();
  const RayCaster caster = wishes.caster.value_or(VolumeScene::suitableRayCaster(renderer));
  const auto subjects = subjectsOf(wishes.files, caster);
  if (!subjects) {
    std::fprintf(stderr, "%s\n", subjects.error().message.c_str());
    return static_cast<int>(subjects.error().code);
  }
  std::printf("3D off the screen on %s, OpenGL %s, by the %s ray caster\n", renderer.c_str(), (*probe)->openGlVersion().c_str(), caster == RayCaster::Gpu ? "GPU" : "CPU");
  probe->reset();
  for (const Subject& subject : *subjects) {
    std::printf("\n%s, drawn in %s\n%s", subject.name.c_str(), subject.volume->reduction == 1 ? "full" : "means of neighbouring voxels", kHeadings);
    for (const Sizes size : kSizes) {
      if (caster == RayCaster::Cpu && size.width > 512) // minutes, for nobody's use
        break;
      auto window = OffScreenWindow::open(size.width, size.height);
      if (window)
        measure(**window, caster, subject, size);
    }
  }
  compare((*subjects)[std::min<std::size_t>(1, subjects->size() - 1)], wishes.pictures);
  return 0;
}
