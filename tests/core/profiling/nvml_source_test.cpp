// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/nvml_source.h"
#include "core/profiling/gpu_monitor.h"
#include "tests/support/paths.h"
#include <dlfcn.h>
#include <future>
#include <gmock/gmock.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
std::filesystem::path fakeLibrary() {
  return binaryFolder() / "tests" / "libfake_nvml.so";
}

class CountingSensor : public GpuSensor {
public:
  GpuReading read() override {
    GpuReading r;
    r.power_w = ++m_readings;
    r.energy_j = 1000 + 10 * m_readings;
    return r;
  }
  std::optional<double> energy_j() override { return std::nullopt; }
  std::optional<double> memory_bytes() override { return std::nullopt; }

private:
  int m_readings = 0;
};
} // namespace

TEST(Nvml, ReadsWhatThereIsAndLeavesOutTheRest) {
  const auto nvml = openNvml(fakeLibrary());
  ASSERT_TRUE(nvml) << nvml.error().message;
  EXPECT_EQ(driverVersion(**nvml), "580.65.06");
  const auto sensor = nvmlSensor(*nvml, "0000:1a:00.0");
  ASSERT_TRUE(sensor) << sensor.error().message;
  EXPECT_EQ(compactJson(toJson((*sensor)->read())),
            R"({"utilisation_percent":97.0,"memory_bytes":30000000000.0,"memory_total_bytes":150000000000.0,"power_w":612.345,)"
            R"("energy_j":6.5,"sm_clock_mhz":1980.0,"temperature_c":61.0,"throttle":"power limit, hardware thermal limit"})");
  EXPECT_DOUBLE_EQ((*sensor)->energy_j().value(), 8.0);
  EXPECT_DOUBLE_EQ((*sensor)->memory_bytes().value(), 3e10);
}

TEST(Nvml, IsInitialisedOnceAndShutDownWithItsLastSensor) {
  void* fake = ::dlopen(fakeLibrary().c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(fake, nullptr);
  const auto initialised = reinterpret_cast<int (*)()>(::dlsym(fake, "fakeNvmlInitialised"));
  {
    auto nvml = openNvml(fakeLibrary()).value();
    const auto sensor = nvmlSensor(nvml, "0000:1a:00.0").value();
    nvml.reset();
    EXPECT_EQ(initialised(), 1);
    EXPECT_TRUE(sensor->read().power_w.has_value());
  }
  EXPECT_EQ(initialised(), 0);
  ::dlclose(fake);
}

TEST(Nvml, SaysWhatIsMissing) {
  const auto absent = openNvml("/nonexistent/libnvidia-ml.so.1");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ExitCode::NoDevice);
  EXPECT_THAT(absent.error().message, HasSubstr("/nonexistent/libnvidia-ml.so.1"));
  const auto other = nvmlSensor(openNvml(fakeLibrary()).value(), "0000:99:00.0");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("0000:99:00.0"));
}

TEST(GpuReading, NothingKnownIsNothingSaid) {
  EXPECT_TRUE(toJson(GpuReading{}).empty());
}

TEST(GpuMonitor, TellsEveryReadingWithEnergySinceTheFirst) {
  std::promise<std::vector<Json>> three;
  std::vector<Json> told;
  {
    const GpuMonitor monitor(std::make_unique<CountingSensor>(), std::chrono::milliseconds(1), [&](Json fields) {
      told.push_back(std::move(fields));
      if (told.size() == 3)
        three.set_value(told);
    });
    const std::vector<Json> first = three.get_future().get();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(first[static_cast<std::size_t>(i)]["power_w"], i + 1);
      EXPECT_EQ(first[static_cast<std::size_t>(i)]["energy_j"], 10 * i);
    }
  }
}

TEST(GpuMonitor, EndsAtOnceWhateverItsInterval) {
  std::promise<void> told;
  const GpuMonitor monitor(std::make_unique<CountingSensor>(), std::chrono::hours(1), [&](Json) { told.set_value(); });
  told.get_future().wait();
}
