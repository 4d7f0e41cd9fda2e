// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/off_screen.h"
#include "tests/rendering/phantoms.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <optional>

namespace voxlab {
namespace {

class WithoutDisplay {
public:
  WithoutDisplay() {
    if (const char* display = std::getenv("DISPLAY"))
      m_before = display;
    unsetenv("DISPLAY");
  }
  ~WithoutDisplay() {
    if (m_before)
      setenv("DISPLAY", m_before->c_str(), 1);
  }

private:
  std::optional<std::string> m_before;
};

Result<std::unique_ptr<OffScreenWindow>> openWithoutDisplay(int width, int height) {
  const WithoutDisplay here;
  return OffScreenWindow::open(width, height);
}

std::unique_ptr<VolumeScene> headScene(const char* preset) {
  const auto volume = volumeOf(gridOf("RAS", {64, 64, 48}), headAt);
  auto scene = std::make_unique<VolumeScene>();
  scene->setVolume(makeRenderVolume(*volume, 0, histogramOf(volume->voxels), 1'000'000));
  scene->setRange({0, 160});
  scene->setTransfer(*transferPreset(preset));
  return scene;
}

double meanDifference(const Picture& a, const Picture& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (const int shift : {0, 8, 16})
      sum += std::abs(static_cast<int>(a.pixels[i] >> shift & 0xff) - static_cast<int>(b.pixels[i] >> shift & 0xff));
  return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

long brightPixels(const Picture& picture) {
  return std::count_if(picture.pixels.begin(), picture.pixels.end(), [](std::uint32_t p) { return (p & 0xff) > 60; });
}

// Closes the window: a thread has either X's OpenGL or EGL's.
Result<Picture> drawnIn(Result<std::unique_ptr<OffScreenWindow>> window, const char* preset, RayCaster caster) {
  if (!window)
    return fail(window.error());
  const auto scene = headScene(preset);
  scene->setRayCaster(caster);
  return (*window)->draw(*scene);
}

TEST(OffScreen, DrawsTheSameWithAndWithoutADisplay) {
  for (const char* preset : {"mip", "skin"})
    for (const RayCaster caster : {RayCaster::Cpu, RayCaster::Gpu}) {
      const auto shown = drawnIn(OffScreenWindow::open(140, 120), preset, caster), bare = drawnIn(openWithoutDisplay(140, 120), preset, caster);
      if (!shown || !bare)
        GTEST_SKIP() << (shown ? bare : shown).error().message;
      EXPECT_GT(brightPixels(*shown), 500) << preset;
      EXPECT_LT(meanDifference(*shown, *bare), 1.5) << preset; // two devices may draw them
    }
}

TEST(OffScreen, TwoWindowsWithoutADisplayTakeTurns) {
  auto first = openWithoutDisplay(140, 120), second = openWithoutDisplay(90, 90);
  if (!first || !second)
    GTEST_SKIP() << (first ? second : first).error().message;
  const auto one = headScene("mip"), other = headScene("skin");
  const Picture alone = (*first)->draw(*one);
  const Picture small = (*second)->draw(*other);
  EXPECT_EQ(small.width, 90);
  EXPECT_GT(brightPixels(small), 500);
  EXPECT_EQ((*first)->draw(*one).pixels, alone.pixels);
  second->reset();
  EXPECT_EQ((*first)->draw(*one).pixels, alone.pixels) << "and when the other has gone";
}

TEST(OffScreen, SaysWhatDrawsWithoutADisplay) {
  auto window = openWithoutDisplay(64, 64);
  if (!window)
    GTEST_SKIP() << window.error().message;
  EXPECT_FALSE((*window)->openGlRenderer().empty());
  EXPECT_GE(std::atof((*window)->openGlVersion().c_str()), 3.2) << (*window)->openGlVersion();
  const auto scene = headScene("mip");
  EXPECT_GT((*window)->drawOnly_ms(*scene), 0);
}

TEST(OffScreenDeathTest, ASentenceWhereNothingDraws) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a new process: EGL reads its list of drivers once
  const auto inAnEmptyMachine = [] {
    unsetenv("DISPLAY");
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json", 1);
    const auto window = OffScreenWindow::open(64, 64);
    std::fprintf(stderr, "%s\n", window ? "it opened" : window.error().message.c_str());
    std::exit(window ? 0 : static_cast<int>(window.error().code));
  };
  EXPECT_EXIT(inAnEmptyMachine(), testing::ExitedWithCode(static_cast<int>(ExitCode::NoDevice)), "display");
}

} // namespace
} // namespace voxlab
