// SPDX-License-Identifier: Apache-2.0
// Holds modes against others of the same precision and against Baseline, on real data; exit code 7 where one is worse.
//   mode_quality --data FOLDER [--weights FILE] [--seeds 8] [--steps 0] [--train 500] [--batch 1] [--device auto] [MODE=UNFUSED …]
// --data: a folder with the folders images and masks, as packaging/demo_data.sh makes it. What has to hold of MODE:
//   prediction  its difference from Baseline's is within what its precision explains
//   volumes     their PSNR against Baseline's at equal seeds is at most 1 dB below UNFUSED's
//   training    the mean of its smoothed losses at four seeds lies within two standard deviations of UNFUSED's at the same seeds.
//               A seed's last draws alone move a loss by as much, so each is also held against UNFUSED's with the three other seeds,
//               and UNFUSED's own in the same way, which tells what such a figure is worth.
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include "tests/core/execution/mode_quality.h"
#include <cstdio>

namespace voxlab {
namespace {

constexpr double kLeast_dB = -1, kMostDeviations = 2;

struct Pair {
  Mode mode, unfused;
};

struct Arguments {
  QualitySettings quality;
  std::string device = "auto";
  std::vector<Pair> pairs;
};

Pair pairFrom(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos)
    throw Failure(ExitCode::Usage, "\"" + text + "\" is no pair of modes, as in fused_bf16=bf16_stored.");
  return {valueOrThrow(parseMode(text.substr(0, at))), valueOrThrow(parseMode(text.substr(at + 1)))};
}

Arguments read(int count, char** words) {
  Arguments a;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (!word.starts_with("--")) {
      a.pairs.push_back(pairFrom(word));
      continue;
    }
    if (i + 1 == count)
      throw Failure(ExitCode::Usage, word + " wants a value.");
    const std::string value = words[++i];
    const std::pair<const char*, int*> numbers[] = {
        {"--seeds", &a.quality.seeds}, {"--steps", &a.quality.samplingSteps}, {"--train", &a.quality.trainingSteps}, {"--batch", &a.quality.batch}};
    const auto number = std::find_if(std::begin(numbers), std::end(numbers), [&](const auto& n) { return n.first == word; });
    if (number != std::end(numbers))
      *number->second = std::atoi(value.c_str());
    else if (word == "--data") {
      a.quality.images = std::filesystem::path(value) / "images";
      a.quality.masks = std::filesystem::path(value) / "masks";
    } else if (word == "--weights")
      a.quality.weights = value;
    else if (word == "--device")
      a.device = value;
    else
      throw Failure(ExitCode::Usage, "There is no option " + word + ".");
  }
  if (a.quality.images.empty() || a.quality.weights.empty())
    throw Failure(ExitCode::Usage, "--data FOLDER and --weights FILE are needed: packaging/demo_data.sh makes data, resources/starter holds weights.");
  if (a.pairs.empty())
    for (const char* pair : {"fused_tf32+graph=tf32_graph", "fused_bf16+graph=bf16_graph", "fused_fp16+graph=bf16_graph+fp16"})
      a.pairs.push_back(pairFrom(pair));
  return a;
}

class Report {
public:
  void line(bool good, const std::string& text) {
    std::printf("%-7s %s\n", good ? "ok" : "WORSE", text.c_str());
    std::fflush(stdout);
    m_good = m_good && good;
  }
  bool good() const { return m_good; }

private:
  bool m_good = true;
};

template <class... A> std::string formatted(const char* format, A... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

void judgePrediction(Report& report, ModeQuality& quality, const Pair& pair, const at::Tensor& baseline) {
  const double own = relativeDifference(quality.predictions(pair.mode), baseline), other = relativeDifference(quality.predictions(pair.unfused), baseline);
  const double allowed = predictionTolerance(pair.mode.switches.precision);
  report.line(own <= allowed, formatted("prediction %-22s differs from Baseline by %.1e (%s: %.1e; allowed: %.0e)", pair.mode.name.c_str(), own, pair.unfused.name.c_str(), other,
                                        allowed));
}

void judgeVolumes(Report& report, ModeQuality& quality, const Pair& pair, const at::Tensor& baseline) {
  const double own = meanPsnr(quality.volumes(pair.mode), baseline), other = meanPsnr(quality.volumes(pair.unfused), baseline);
  report.line(own - other >= kLeast_dB,
              formatted("volumes    %-22s PSNR against Baseline %.2f dB (%s: %.2f dB)", pair.mode.name.c_str(), own, pair.unfused.name.c_str(), other));
}

void judgeTraining(Report& report, ModeQuality& quality, const Pair& pair, int trainings) {
  constexpr std::uint64_t kSeed = 100;
  std::vector<double> own, unfused;
  long long skipped = 0;
  for (int k = 0; k < trainings; ++k) {
    const SmoothedLoss loss = quality.train(pair.mode, kSeed + static_cast<std::uint64_t>(k));
    own.push_back(loss.value);
    skipped += loss.skippedSteps;
    unfused.push_back(quality.train(pair.unfused, kSeed + static_cast<std::uint64_t>(k)).value);
  }
  const double away = deviations(mean(own), unfused);
  report.line(std::abs(away) <= kMostDeviations, formatted("training   %-22s smoothed loss %.5f, %s %.5f: %+.2f deviations, %d seeds; %lld steps skipped", pair.mode.name.c_str(),
                                                           mean(own), pair.unfused.name.c_str(), mean(unfused), away, trainings, skipped));
  for (std::size_t k = 0; k < own.size(); ++k) {
    std::vector<double> others = unfused;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    std::printf("        seed %d: %.5f and %.5f; from the unfused ones with other seeds %+.2f and %+.2f deviations\n", static_cast<int>(kSeed) + static_cast<int>(k), own[k], unfused[k],
                deviations(own[k], others), deviations(unfused[k], others));
  }
}

int judge(const Arguments& a) {
  const c10::Device device = valueOrThrow(chooseDevice(a.device));
  ModeQuality quality(a.quality, device);
  const auto gpu = cudaDeviceOf(device);
  std::printf("%s, %s; %d seeds, %d training steps\n", gpu ? gpu->name.c_str() : "CPU", quality.description().c_str(), a.quality.seeds, a.quality.trainingSteps);
  const Mode baseline = valueOrThrow(parseMode("baseline"));
  const at::Tensor prediction = quality.predictions(baseline);
  const at::Tensor volumes = a.quality.seeds > 0 ? quality.volumes(baseline) : at::Tensor();
  Report report;
  for (const Pair& pair : a.pairs) {
    std::string why = unavailableReason(pair.mode.switches, device);
    why += unavailableReason(pair.unfused.switches, device);
    if (!why.empty()) {
      std::printf("%-7s %s: %s\n", "skipped", pair.mode.name.c_str(), why.c_str());
      continue;
    }
    judgePrediction(report, quality, pair, prediction);
    if (a.quality.seeds > 0)
      judgeVolumes(report, quality, pair, volumes);
    if (a.quality.trainingSteps > 0)
      judgeTraining(report, quality, pair, a.quality.trainings);
  }
  return static_cast<int>(report.good() ? ExitCode::Finished : ExitCode::CheckFailed);
}

} // namespace
} // namespace voxlab

int main(int count, char** words) {
  try {
    return voxlab::judge(voxlab::read(count, words));
  } catch (const voxlab::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return static_cast<int>(failure.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(voxlab::ExitCode::Internal);
  }
}
