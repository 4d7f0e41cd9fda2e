// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/checkpoint.h"
#include "core/base/files.h"
#include "core/base/safetensors.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/tensor_file.h"
#include "core/diffusion/upstream_export.h"
#include "core/diffusion/weights.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_network.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <limits>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

Checkpoint sampleCheckpoint(std::int64_t step = 12) {
  Checkpoint c;
  c.step = step;
  c.network = tinyNetwork();
  c.timesteps = 50;
  c.description = {{"labels", {1, 2}}};
  c.state = {{"seed", 9}, {"position", 44}};
  c.model = randomWeights(c.network, 1);
  c.ema = randomWeights(c.network, 2);
  c.optimizer = {{"adam_step", at::tensor({3.0f})}, {"growth_tracker", at::tensor({7}, at::kInt)}};
  return c;
}

void expectEqual(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const NamedTensor& t : a) {
    const at::Tensor* other = findTensor(b, t.name);
    ASSERT_TRUE(other) << t.name;
    EXPECT_TRUE(at::equal(t.tensor, *other)) << t.name;
    EXPECT_EQ(t.tensor.scalar_type(), other->scalar_type());
  }
}

class Checkpoints : public testing::Test {
protected:
  fs::path folder(const char* name = "step_00000012") const { return m_temporary / "checkpoints" / name; }
  TemporaryFolder m_temporary;
};

TEST_F(Checkpoints, RoundTrip) {
  const Checkpoint written = sampleCheckpoint();
  ASSERT_TRUE(writeCheckpoint(folder(), written));
  EXPECT_TRUE(isCheckpointFolder(folder()));
  const auto read = readCheckpoint(folder());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->step, 12);
  EXPECT_EQ(read->timesteps, 50);
  EXPECT_EQ(read->state, written.state);
  EXPECT_EQ(read->description, written.description);
  EXPECT_EQ(toJson(read->network), toJson(written.network));
  expectEqual(read->model, written.model);
  expectEqual(read->ema, written.ema);
  expectEqual(read->optimizer, written.optimizer);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder().parent_path()), {}), 1) << "nothing else is left";
}

TEST_F(Checkpoints, AnOldOneOfThatNameIsReplaced) {
  ASSERT_TRUE(writeCheckpoint(folder(), sampleCheckpoint(1)));
  ASSERT_TRUE(writeCheckpoint(folder(), sampleCheckpoint(2)));
  EXPECT_EQ(readCheckpoint(folder())->step, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder().parent_path()), {}), 1);
}

TEST_F(Checkpoints, UnfinishedOnesAreNotRead) {
  ASSERT_TRUE(writeCheckpoint(folder(), sampleCheckpoint()));
  fs::remove(folder() / "DONE");
  EXPECT_FALSE(isCheckpointFolder(folder()));
  EXPECT_NE(readCheckpoint(folder()).error().message.find("DONE"), std::string::npos);
  EXPECT_NE(loadWeights(folder(), WhichWeights::Ema).error().message.find("DONE"), std::string::npos);
}

TEST_F(Checkpoints, LeftoversAreRemoved) {
  ASSERT_TRUE(writeCheckpoint(folder(), sampleCheckpoint()));
  fs::create_directories(folder("step_00000013.tmp-77"));
  fs::create_directories(folder("step_00000012.old.tmp-77"));
  removeTemporaries(folder().parent_path(), Below::Folder);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder().parent_path()), {}), 1);
  EXPECT_TRUE(isCheckpointFolder(folder()));
  removeTemporaries(m_temporary / "absent", Below::Folder);
}

TEST_F(Checkpoints, DamageIsNamed) {
  ASSERT_TRUE(writeCheckpoint(folder(), sampleCheckpoint()));
  const std::string tensors = *readTextFile(folder() / "ema.safetensors");
  ASSERT_TRUE(writeFileAtomically(folder() / "ema.safetensors", tensors.substr(0, tensors.size() - 10)));
  EXPECT_NE(readCheckpoint(folder()).error().message.find("ema.safetensors"), std::string::npos);
  for (const char* state : {"", "{}", "[]", "{\"schema\":1}", "{\"schema\":1,\"step\":\"x\",\"timesteps\":5,\"network\":{}}",
                            "{\"schema\":1,\"step\":1,\"timesteps\":5,\"network\":{\"base_channels\":7}}", "{\"schema\":2}"}) {
    ASSERT_TRUE(writeFileAtomically(folder() / "state.json", state));
    const auto read = readCheckpoint(folder());
    ASSERT_FALSE(read) << state;
    EXPECT_EQ(read.error().code, ExitCode::Data);
    EXPECT_NE(read.error().message.find("state.json"), std::string::npos) << read.error().message;
  }
}

TEST_F(Checkpoints, WritingWhereItCannotFails) {
  ASSERT_TRUE(writeFileAtomically(m_temporary / "file", "x"));
  const Status status = writeCheckpoint(m_temporary / "file" / "step_1", sampleCheckpoint());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ExitCode::Data);
}

TEST_F(Checkpoints, WeightsComeFromEveryKindOfFile) {
  const Checkpoint c = sampleCheckpoint();
  ASSERT_TRUE(writeCheckpoint(folder(), c));
  const auto ema = loadWeights(folder(), WhichWeights::Ema), model = loadWeights(folder(), WhichWeights::Model);
  ASSERT_TRUE(ema && model);
  expectEqual(ema->parameters, c.ema);
  expectEqual(model->parameters, c.model);
  EXPECT_EQ(ema->timesteps, 50);
  EXPECT_EQ(ema->step, 12);
  EXPECT_EQ(ema->description, c.description);

  ASSERT_TRUE(saveWeights(m_temporary / "half.safetensors", *ema, WeightsPrecision::Half));
  const auto half = loadWeights(m_temporary / "half.safetensors", WhichWeights::Unknown);
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_EQ(half->parameters[0].tensor.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(half->parameters[0].tensor, c.ema[0].tensor.to(at::kHalf).to(at::kFloat)));

  ASSERT_TRUE(writeUpstreamCheckpoint(m_temporary / "model-1.pt", {c.network, 50, 11, c.model, c.ema}));
  const auto published = loadWeights(m_temporary / "model-1.pt", WhichWeights::Ema);
  ASSERT_TRUE(published) << published.error().message;
  expectEqual(published->parameters, c.ema);
  EXPECT_EQ(published->step, 12) << "the file has the index of the last iteration";
  EXPECT_EQ(published->timesteps, 50);
  EXPECT_EQ(toJson(published->network), toJson(c.network));
  EXPECT_TRUE(published->description.empty());
}

TEST_F(Checkpoints, WeightsThatAreNoNumbersAreRefused) {
  Weights weights;
  weights.network = tinyNetwork();
  weights.parameters = initialWeights(weights.network, 1);
  weights.parameters[3].tensor.view({-1})[0] = std::numeric_limits<float>::quiet_NaN();
  const auto file = m_temporary / "nan.safetensors";
  ASSERT_TRUE(saveWeights(file, weights, WeightsPrecision::Full));
  const auto loaded = loadWeights(file, WhichWeights::Ema);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("no numbers (in " + weights.parameters[3].name), std::string::npos) << loaded.error().message;
}

TEST_F(Checkpoints, NetworksAreWorkedOutWhereNoMetadataSaysThem) {
  NamedTensors prefixed{{"betas", at::ones({50})}};
  for (const NamedTensor& t : randomWeights(tinyNetwork(), 1))
    prefixed.push_back({"denoise_fn." + t.name, t.tensor});
  ASSERT_TRUE(writeTensors(m_temporary / "converted.safetensors", prefixed));
  const auto weights = loadWeights(m_temporary / "converted.safetensors", WhichWeights::Ema);
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(toJson(weights->network), toJson(tinyNetwork()));
}

TEST_F(Checkpoints, OtherFilesAreRefusedWithASentence) {
  const auto problem = [&](const char* name) {
    const auto weights = loadWeights(m_temporary / name, WhichWeights::Ema);
    EXPECT_FALSE(weights) << name;
    EXPECT_EQ(weights.error().code, ExitCode::Data);
    EXPECT_NE(weights.error().message.find(name), std::string::npos) << weights.error().message;
    return weights.error().message;
  };
  problem("absent.pt");
  ASSERT_TRUE(writeFileAtomically(m_temporary / "text.safetensors", "hello"));
  problem("text.safetensors");
  ASSERT_TRUE(writeFileAtomically(m_temporary / "text.pt", "hello"));
  problem("text.pt");
  ASSERT_TRUE(writeTensors(m_temporary / "other.safetensors", {{"fc.weight", at::ones({2, 2})}}));
  problem("other.safetensors");
  NamedTensors integers = randomWeights(tinyNetwork(), 1);
  integers[3].tensor = integers[3].tensor.to(at::kInt);
  ASSERT_TRUE(writeTensors(m_temporary / "integers.safetensors", integers));
  problem("integers.safetensors");
  ASSERT_TRUE(writeTensors(m_temporary / "liar.safetensors", randomWeights(tinyNetwork(), 1), {{"network", "{\"base_channels\":64}"}}));
  problem("liar.safetensors");
  ASSERT_TRUE(writeTensors(m_temporary / "garbled.safetensors", randomWeights(tinyNetwork(), 1), {{"network", "{"}}));
  problem("garbled.safetensors");
}

TEST(TensorFile, KeepsTypesShapesAndStridedValues) {
  const TemporaryFolder folder;
  const at::Tensor base = at::randn({2, 3, 4, 5, 6});
  const NamedTensors tensors{{"last", base.contiguous(at::MemoryFormat::ChannelsLast3d)},
                             {"transposed", base.select(0, 0).transpose(0, 2)},
                             {"double", base.to(at::kDouble)},
                             {"half", base.to(at::kHalf)},
                             {"bfloat", base.to(at::kBFloat16)},
                             {"long", at::tensor({1, -2, 3}, at::kLong)},
                             {"scalar", at::tensor(2.5f)},
                             {"bool", base > 0},
                             {"empty", base.narrow(0, 0, 0)},
                             {"gradient", base.clone().requires_grad_(true)}};
  ASSERT_TRUE(writeTensors(folder / "t.safetensors", tensors, {{"key", "value"}}));
  const auto read = readTensors(folder / "t.safetensors");
  ASSERT_TRUE(read) << read.error().message;
  expectEqual(tensors, read->tensors);
  EXPECT_EQ(read->metadata.at("key"), "value");
  EXPECT_FALSE(writeTensors(folder / "c.safetensors", {{"complex", base.to(at::kComplexFloat)}}));
}

TEST(NamedTensorLists, CopyAndCompare) {
  const NamedTensors a{{"x", at::ones({2})}, {"y", at::ones({3})}};
  const NamedTensors b = copyOf(a);
  b[0].tensor.detach().fill_(5);
  EXPECT_EQ(a[0].tensor[0].item<float>(), 1);
  copyValues(b, a);
  EXPECT_EQ(a[0].tensor[0].item<float>(), 5);
  EXPECT_EQ(elementCount(a), 5);
  EXPECT_THROW(copyValues({{"x", at::ones({2})}}, a), c10::Error);
  EXPECT_THROW(copyValues({{"x", at::ones({2})}, {"z", at::ones({3})}}, a), c10::Error);
  EXPECT_THROW(copyValues({{"x", at::ones({2})}, {"y", at::ones({4})}}, a), c10::Error);
}

} // namespace
} // namespace voxlab
