// SPDX-License-Identifier: Apache-2.0
// Generator, sample files and the description that travels with weights.
#include "core/diffusion/generator.h"
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/sample_writer.h"
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include "tests/support/temporary_folder.h"
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

namespace voxlab {
namespace {
NetworkSpec network(int images, int conditions) {
  NetworkSpec spec;
  spec.imageChannels = images;
  spec.conditionChannels = conditions;
  spec.multipliers = {1, 1};
  return spec;
}

// Predicts no noise, and remembers what it was asked for.
struct Listening {
  at::Tensor x, condition;
  Predictor predictor() {
    return [this](const at::Tensor& image, const at::Tensor& c, const at::Tensor&) {
      x = image;
      condition = c;
      return at::zeros_like(image);
    };
  }
};

GeneratorSettings settings(int images, int conditions) {
  GeneratorSettings s;
  s.network = network(images, conditions);
  s.timesteps = 10;
  s.sampling.steps = 3;
  s.conditionBackground = -0.5;
  return s;
}

class SampleWriterTest : public testing::Test {
protected:
  void SetUp() override {
    m_session = RunSession::start(RunDirectory::create(m_folder.path(), JobSpec("sample"), {}).value(), {}).value();
    m_grid.size = {4, 3, 2};
    m_grid.affine = {{{-2, 0, 0, 5}, {0, 2, 0, 6}, {0, 0, 3, 7}, {0, 0, 0, 1}}};
    m_record.name = "sub 1/x_seed4";
    m_record.seed = 4;
    m_record.sampler = "ddim";
  }
  std::filesystem::path folder() const { return m_session->run().path() / "samples"; }

  TemporaryFolder m_folder;
  std::unique_ptr<RunSession> m_session;
  Grid m_grid;
  SampleDescription m_record;
};
} // namespace

TEST(Generator, PadsForTheNetworkAndCropsAgain) {
  Listening network;
  const Generator generator(settings(1, 2), network.predictor(), makeDdimSampler(), at::kCPU);
  EXPECT_EQ(generator.steps(), 3);
  const auto drawn = generator.draw(at::zeros({2, 3, 5, 4}), {3, 5, 4}, {1, 0});
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->sizes(), (std::vector<std::int64_t>{1, 3, 5, 4}));
  EXPECT_EQ(network.x.sizes(), (std::vector<std::int64_t>{1, 1, 4, 6, 4}));
  EXPECT_EQ(network.condition.sizes(), (std::vector<std::int64_t>{1, 2, 4, 6, 4}));
  EXPECT_EQ(network.condition.min().item<float>(), -0.5f);
  EXPECT_TRUE(at::equal(*drawn, *generator.draw(at::zeros({2, 3, 5, 4}), {3, 5, 4}, {1, 0})));
  EXPECT_FALSE(at::equal(*drawn, *generator.draw(at::zeros({2, 3, 5, 4}), {3, 5, 4}, {2, 0})));
}

TEST(Generator, StopsWhenToldAndRefusesAnotherCondition) {
  Listening network;
  const Generator generator(settings(1, 0), network.predictor(), makeDdimSampler(), at::kCPU);
  EXPECT_FALSE(generator.draw({}, {2, 2, 2}, {1, 0}, [](const SamplerStep&) { return SamplerVerdict::Stop; }));
  EXPECT_TRUE(generator.draw({}, {2, 2, 2}, {1, 0}));
  EXPECT_ANY_THROW(generator.draw(at::zeros({1, 2, 2, 2}), {2, 2, 2}, {1, 0}));
}

TEST_F(SampleWriterTest, VoxelsAndAffineAsTheyAre) {
  const at::Tensor volume = at::arange(24, at::kFloat).reshape({1, 2, 3, 4}); // C, D, H, W
  writeSample(*m_session, folder(), volume, m_grid, m_grid, m_record);
  const auto back = readVolume(folder() / "sub_1_x_seed4.nii.gz");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(sameGrid(back->grid(), m_grid));
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_EQ(back->voxels[i], static_cast<float>(i)); // W is X, fastest
  const Json info = readJsonFile(folder() / "sub_1_x_seed4.json").value();
  EXPECT_EQ(info["seed"], 4);
  EXPECT_EQ(info["files"], Json::array({"sub_1_x_seed4.nii.gz"}));
  EXPECT_EQ(samplePath(m_session->run(), folder(), m_record), "samples/sub_1_x_seed4.nii.gz");
  const auto events = EventReader(m_session->run().eventsFile()).poll().value();
  EXPECT_EQ(events.back().fields["path"], "samples/sub_1_x_seed4.nii.gz");
}

TEST_F(SampleWriterTest, OnAnotherGridWorldPositionsStay) {
  const at::Tensor volume = at::arange(24, at::kFloat).reshape({1, 2, 3, 4});
  const Grid target = reoriented(m_grid, orderTowards(m_grid.affine, "RAS"));
  writeSample(*m_session, folder(), volume, m_grid, target, m_record);
  const auto back = readVolume(folder() / "sub_1_x_seed4.nii.gz");
  ASSERT_TRUE(back);
  EXPECT_EQ(axisCodes(back->grid().affine), "RAS");
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(back->voxels[i], 3.0f - static_cast<float>(i), 1e-4);
}

TEST_F(SampleWriterTest, OneFileAChannel) {
  m_record.channelNames = {"t1", "flair"};
  writeSample(*m_session, folder(), at::zeros({2, 2, 3, 4}), m_grid, m_grid, m_record);
  EXPECT_TRUE(readVolumeHeader(folder() / "sub_1_x_seed4_t1.nii.gz"));
  EXPECT_TRUE(readVolumeHeader(folder() / "sub_1_x_seed4_flair.nii.gz"));
  EXPECT_EQ(samplePath(m_session->run(), folder(), m_record), "samples/sub_1_x_seed4_t1.nii.gz");
}

TEST_F(SampleWriterTest, TheTrajectoryHasAtMostSoManyFilesAndTheLast) {
  TrajectoryWriter writer(folder(), m_record, m_grid, 1), silent(folder(), m_record, m_grid, 0);
  const at::Tensor padded = at::zeros({1, 1, 4, 4, 4});
  for (int i = 0; i < 250; ++i) {
    const SamplerStep step{i, 250, 249 - i, padded, padded};
    writer.look(step);
    silent.look(step);
  }
  EXPECT_TRUE(silent.written().empty());
  ASSERT_LE(writer.written().size(), static_cast<std::size_t>(kMaximumTrajectory));
  EXPECT_GE(writer.written().size(), 60u);
  const Json& last = writer.written().back();
  EXPECT_EQ(last["step"], 250);
  EXPECT_EQ(last["timestep"], 0);
  const auto file = readVolumeHeader(folder() / last["files"][0].get<std::string>());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(sameGrid(file->grid, m_grid));
}

TEST(PreparationRecord, TravelsWithTheWeights) {
  Weights weights;
  weights.network = network(1, 2);
  weights.timesteps = 20;
  weights.description = describe({{16, 17, 18}, "volume", {3, 7}, 0.25, {"t1"}});
  const FoundPreparation found = preparationOf(weights);
  EXPECT_TRUE(found.guesses.empty());
  EXPECT_EQ(describe(found.record), weights.description);
}

TEST(PreparationRecord, IsGuessedAsForThePublishedWeights) {
  Weights head, brats;
  head.network = network(1, 2);
  brats.network = network(4, 4);
  EXPECT_EQ(preparationOf(head).record.recipe, "published");
  EXPECT_EQ(preparationOf(head).record.labels, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(preparationOf(brats).record.recipe, "published_brats");
  EXPECT_EQ(preparationOf(brats).record.size, (std::array<std::int64_t, 3>{192, 192, 144}));
  EXPECT_EQ(preparationOf(brats).record.conditionBackground, 0);
  EXPECT_EQ(preparationOf(brats).guesses.size(), 2u);
  EXPECT_THAT(channelNames(preparationOf(brats).record, brats.network), testing::ElementsAre("t1", "t1ce", "t2", "flair"));
  EXPECT_TRUE(channelNames(preparationOf(head).record, head.network).empty());
  EXPECT_THAT(channelNames({}, network(2, 0)), testing::ElementsAre("1", "2"));
}

TEST(PreparationRecord, ARunWithoutACheckpointIsRefused) {
  TemporaryFolder folder;
  const auto run = RunDirectory::create(folder.path(), JobSpec("train"), {}).value();
  EXPECT_FALSE(weightsPath(run.path()));
  EXPECT_EQ(weightsPath("some/file.safetensors"), std::filesystem::path("some/file.safetensors"));
}

} // namespace voxlab
