// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory_advice.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
std::string memoryWords(double bytes) {
  const double gb = bytes / 1e9;
  return (gb >= 10 ? formatCount(std::llround(gb)) : formatSignificant(gb, 2)) + " GB";
}

namespace {
Result<double> needed(const MemoryRequest& request) {
  const auto plan = planNetwork(request.network, request.size, request.batch);
  if (!plan)
    return fail(plan.error());
  return deviceMemoryFor(estimateMemory(*plan, request.mode, request.job).peak_bytes());
}

std::string sizeWords(const std::array<std::int64_t, 3>& size) {
  return "a volume of " + std::to_string(size[2]) + "×" + std::to_string(size[1]) + "×" + std::to_string(size[0]);
}

class Advisor {
public:
  Advisor(const MemoryRequest& request, double device_bytes) : m_request(request), m_device_bytes(device_bytes) {}

  // Tries the changes alone, from the least to the greatest, then together; stops when two fit.
  std::vector<MemoryOption> options() {
    if (m_request.mode.layout == MemoryLayout::ChannelsLast && !m_request.mode.fusedKernels) {
      MemoryRequest contiguous = m_request;
      contiguous.mode.layout = MemoryLayout::Contiguous;
      consider("the contiguous layout", contiguous);
    }
    MemoryRequest reduced = m_request; // BF16 and batch 1, as far as that is a change
    std::string words;
    if (!is16Bit(m_request.mode.precision)) {
      reduced.mode.precision = Precision::Bf16;
      reduced.mode.spreadNorm = true; // as the rows of the table have it
      words = "BF16";
      consider(words, reduced);
    }
    checkpointing("", m_request);
    if (m_request.batch > 1) {
      MemoryRequest single = m_request;
      single.batch = reduced.batch = 1;
      words += words.empty() ? "batch 1" : ", batch 1";
      consider("batch 1", single);
    }
    if (m_fitting.empty() && !words.empty()) {
      consider(words, reduced);
      checkpointing(words + " and ", reduced);
    }
    smallerVolumes(words.empty() ? "" : words + " and ", reduced);
    return m_fitting;
  }
  const std::optional<MemoryOption>& least() const { return m_least; }

private:
  bool consider(const std::string& words, const MemoryRequest& request) {
    const auto bytes = needed(request);
    if (!bytes)
      return false;
    MemoryOption option{words, request, *bytes};
    if (!m_least || *bytes < m_least->device_bytes)
      m_least = option;
    if (*bytes > m_device_bytes)
      return false;
    m_fitting.push_back(std::move(option));
    return true;
  }

  void checkpointing(const std::string& before, MemoryRequest request) {
    if (request.job == JobMemory::Sampling)
      return;
    request.mode.checkpointLevels.clear();
    for (int level = 0; level < request.network.levels(); ++level) {
      request.mode.checkpointLevels.push_back(level);
      const std::string levels = level == 0 ? "checkpoint level 0" : "checkpoint levels 0–" + std::to_string(level);
      if (request.mode.checkpointLevels != m_request.mode.checkpointLevels && consider(before + levels, request))
        return;
    }
  }

  void smallerVolumes(const std::string& before, const MemoryRequest& request) {
    const std::int64_t multiple = request.network.sizeMultiple();
    for (const double scale : {0.75, 0.5, 0.375, 0.25}) {
      if (!m_fitting.empty())
        return;
      MemoryRequest smaller = request;
      for (auto& side : smaller.size)
        side = std::max(multiple, static_cast<std::int64_t>(static_cast<double>(side) * scale) / multiple * multiple);
      consider(before + sizeWords(smaller.size), smaller);
    }
  }

  const MemoryRequest& m_request;
  double m_device_bytes;
  std::vector<MemoryOption> m_fitting;
  std::optional<MemoryOption> m_least;
};
} // namespace

Result<MemoryAdvice> memoryAdvice(const MemoryRequest& request, double deviceMemory_bytes) {
  const auto bytes = needed(request);
  if (!bytes)
    return fail(bytes.error());
  MemoryAdvice advice;
  advice.needed_bytes = *bytes;
  advice.fits = *bytes <= deviceMemory_bytes;
  advice.sentence = "The GPU has " + memoryWords(deviceMemory_bytes) + "; this needs about " + memoryWords(*bytes) + ".";
  if (advice.fits)
    return advice;
  Advisor advisor(request, deviceMemory_bytes);
  advice.options = advisor.options();
  if (advice.options.empty()) {
    if (const auto& least = advisor.least())
      advice.sentence += " No setting makes it fit: the least, " + least->words + ", needs " + memoryWords(least->device_bytes) + ".";
    return advice;
  }
  const auto words = [](const MemoryOption& option) { return option.words + " (" + memoryWords(option.device_bytes) + ")"; };
  advice.sentence +=
      " Use " + words(advice.options[0]) + (advice.options.size() > 1 ? " or " + words(advice.options[1]) : "") + ".";
  return advice;
}

} // namespace voxlab
