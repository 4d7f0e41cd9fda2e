// SPDX-License-Identifier: Apache-2.0
// An exported checkpoint, loaded by PyTorch itself.
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/process.h"
#include "core/diffusion/upstream_export.h"
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_network.h"
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>
#include <sstream>

namespace voxlab {
namespace {

std::string line(const char* state, const std::string& name, const at::Tensor& tensor) {
  std::ostringstream out;
  out << state << ' ' << name << ' ';
  for (std::int64_t d = 0; d < tensor.dim(); ++d)
    out << (d ? "x" : "") << tensor.size(d);
  return out.str();
}

TEST(UpstreamExport, LoadsInPyTorch) {
  const TemporaryFolder folder;
  const NamedTensors model = randomWeights(tinyNetwork(), 1), ema = randomWeights(tinyNetwork(), 2);
  const auto file = folder / "model-3.pt";
  ASSERT_TRUE(writeUpstreamCheckpoint(file, {tinyNetwork(), 20, 2999, model, ema}));
  const auto script = sourceFolder() / "tests" / "core" / "diffusion" / "load_in_python.py";
  const ProcessEnd end = runProcess(VOXLAB_PYTHON, {script.string(), file.string()});
  if (end.exitCode == 77)
    GTEST_SKIP() << "no PyTorch to load it with: " << end.output;
  ASSERT_EQ(end.exitCode, 0) << end.errors;

  std::vector<std::string> expected{"step 2999"};
  std::vector<double> sums{0};
  for (const auto& [state, weights] : {std::pair{"model", &model}, {"ema", &ema}}) {
    const NamedTensors vectors = scheduleTensors(Schedule(20));
    for (const auto& [prefix, list] : {std::pair{"", &vectors}, {"denoise_fn.", weights}})
      for (const NamedTensor& t : *list) {
        expected.push_back(line(state, prefix + t.name, t.tensor));
        sums.push_back(t.tensor.to(at::kDouble).sum().item<double>());
      }
  }
  std::istringstream lines(end.output);
  std::string found;
  std::size_t i = 0;
  for (; std::getline(lines, found); ++i) {
    ASSERT_LT(i, expected.size());
    EXPECT_TRUE(found.starts_with(expected[i])) << found << " instead of " << expected[i];
    if (i > 0) {
      EXPECT_NEAR(std::stod(found.substr(found.rfind(' '))), sums[i], 1e-9 * (1 + std::abs(sums[i])));
    }
  }
  EXPECT_EQ(i, expected.size());
}

} // namespace
} // namespace voxlab
