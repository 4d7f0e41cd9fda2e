// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/protocol/job_parameters.h"
#include "core/protocol/job_spec.h"
#include "core/protocol/version.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {
Catalog catalog() {
  const Choice baseline{"baseline", "Baseline", "", "", Json::object()};
  const Choice fused{"fused", "Fused", "", "it needs a GPU.", Json::object()};
  const Choice ddpm{"ddpm", "Ancestral", "", "", Json::object()};
  const Choice cpu{"cpu", "CPU", "", "", Json::object()}, automatic{"auto", "Automatic", "", "", Json::object()};
  const Choice eager{"eager", "Eager", "", "", Json::object()}, volume{"volume", "Volume", "", "", Json::object()};
  Catalog c;
  c.parameters = jobParameters({{baseline, fused}, {ddpm}, {eager}, {automatic, cpu}, {volume}});
  c.presets = jobPresets();
  return c;
}

JobSpec goodTrain() {
  JobSpec spec("train");
  spec.set("data.images", "images");
  spec.set("data.masks", "masks");
  return spec;
}

std::vector<std::string> keysWithProblems(const JobSpec& spec) {
  std::vector<std::string> keys;
  for (const SpecProblem& p : spec.problems(catalog()))
    keys.push_back(p.key);
  return keys;
}

std::string problemOf(const std::string& key, Json value, JobSpec spec = goodTrain()) {
  spec.set(key, std::move(value));
  for (const SpecProblem& p : spec.problems(catalog()))
    if (p.key == key)
      return p.message;
  return {};
}
} // namespace

TEST(JobSpec, NestedValuesByDottedKey) {
  JobSpec spec("train");
  spec.set("train.steps", 5);
  spec.set("train.batch", 2);
  spec.set("mode", "baseline");
  EXPECT_TRUE(spec.has("train.steps"));
  EXPECT_FALSE(spec.has("train.steps.more"));
  EXPECT_EQ(spec.get<int>("train.steps"), 5);
  EXPECT_EQ(spec.get<std::string>("train.steps", "no text"), "no text");
  EXPECT_EQ(spec.get<int>("train.none", 7), 7);
  EXPECT_TRUE(spec.value("train.none").is_null());
  EXPECT_EQ(compactJson(spec.toJson()),
            R"({"schema":")" + schemaVersion() + R"(","kind":"train","train":{"steps":5,"batch":2},"mode":"baseline"})");
  spec.remove("train.steps");
  EXPECT_FALSE(spec.has("train.steps"));
  spec.remove("train.batch");
  EXPECT_FALSE(spec.has("train"));
  spec.remove("nothing.there");
  spec.remove("mode");
  EXPECT_FALSE(spec.has("mode"));
}

TEST(JobSpec, ListsComeBackAsLists) {
  JobSpec spec("train");
  spec.set("data.size", Json::array({16, 16, 24}));
  EXPECT_THAT(spec.get<std::vector<int>>("data.size"), ElementsAre(16, 16, 24));
  spec.set("data.labels", Json::array());
  EXPECT_THAT(spec.get<std::vector<int>>("data.labels", {1}), IsEmpty());
}

TEST(JobSpec, FileRoundTrip) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeJsonFile(folder / "spec.json", goodTrain().toJson()));
  const auto back = JobSpec::read(folder / "spec.json");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->toJson(), goodTrain().toJson());
}

TEST(JobSpec, BadFilesAreUsageErrors) {
  TemporaryFolder folder;
  const std::pair<const char*, const char*> cases[] = {{"{", "valid JSON"},
                                                       {"[]", "not a JSON object"},
                                                       {"{}", "kind"},
                                                       {R"({"schema": "4.2", "kind": "train"})", "4.2"},
                                                       {R"({"schema": 1, "kind": "train"})", "schema"}};
  for (const auto& [text, expected] : cases) {
    ASSERT_TRUE(writeFileAtomically(folder / "spec.json", text));
    const auto spec = JobSpec::read(folder / "spec.json");
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code, ExitCode::Usage);
    EXPECT_THAT(spec.error().message, HasSubstr(expected));
    EXPECT_THAT(spec.error().message, HasSubstr("spec.json"));
  }
  EXPECT_FALSE(JobSpec::read(folder / "none.json"));
}

TEST(JobSpec, DefaultsOfItsKindOnly) {
  JobSpec spec = goodTrain();
  spec.set("train.steps", 7);
  spec.fillDefaults(catalog());
  EXPECT_EQ(spec.get<int>("train.steps"), 7);
  EXPECT_EQ(spec.get<double>("train.ema_decay"), 0.995);
  EXPECT_FALSE(spec.has("bench.steps"));
  EXPECT_THAT(spec.problems(catalog()), IsEmpty());
}

TEST(JobSpec, EveryPresetIsFine) {
  for (const Preset& preset : jobPresets()) {
    JobSpec spec(preset.kind);
    spec.apply(preset);
    spec.set("data.images", "i");
    spec.set("data.masks", "m");
    for (const SpecProblem& p : spec.problems(catalog()))
      EXPECT_TRUE(p.key == "data.preprocessing" || p.key == "sample.sampler")
          << preset.name << ": " << p.message; // this catalog has one of each
  }
}

TEST(JobSpec, AssignmentsReadValuesAsTheTypeWants) {
  JobSpec spec("train");
  for (const char* text : {"train.steps=1e3", "train.learning_rate=0.5", "data.size=16, 16,24", "data.labels=",
                           "model.multipliers=[0.5,1]", "data.augment_flip=on", "data.images=a=b,c", "mode=baseline"})
    ASSERT_TRUE(spec.applyAssignment(text, catalog())) << text;
  EXPECT_EQ(spec.value("train.steps"), 1000);
  EXPECT_TRUE(spec.value("train.steps").is_number_integer());
  EXPECT_EQ(spec.value("train.learning_rate"), 0.5);
  EXPECT_EQ(spec.value("data.size"), Json::array({16, 16, 24}));
  EXPECT_EQ(spec.value("data.labels"), Json::array());
  EXPECT_EQ(spec.value("model.multipliers"), Json::array({0.5, 1}));
  EXPECT_EQ(spec.value("data.augment_flip"), true);
  EXPECT_EQ(spec.value("data.images"), "a=b,c");
}

TEST(JobSpec, BadAssignmentsAreUsageErrors) {
  JobSpec spec("train");
  const std::pair<const char*, const char*> cases[] = {{"train.steps", "key=value"},
                                                       {"train.stepz=3", "train.steps"},
                                                       {"steps=3", "train.steps"},
                                                       {"zzzzzzzz=3", "no parameter"},
                                                       {"train.steps=many", "whole number"},
                                                       {"train.steps=2.5", "whole number"},
                                                       {"train.learning_rate=", "number"},
                                                       {"train.learning_rate=nan", "number"},
                                                       {"data.size=1,,2", "commas"},
                                                       {"data.size=1,2.5", "commas"},
                                                       {"data.augment_flip=maybe", "true or false"}};
  for (const auto& [text, expected] : cases) {
    const auto status = spec.applyAssignment(text, catalog());
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().code, ExitCode::Usage);
    EXPECT_THAT(status.error().message, HasSubstr(expected));
  }
}

TEST(JobSpec, ProblemsOfEveryKind) {
  EXPECT_THAT(problemOf("train.stepz", 3), HasSubstr("Did you mean train.steps"));
  EXPECT_THAT(problemOf("train.steps", "many"), HasSubstr("whole number"));
  EXPECT_THAT(problemOf("train.steps", 2.5), HasSubstr("whole number"));
  EXPECT_THAT(problemOf("train.steps", true), HasSubstr("whole number"));
  EXPECT_THAT(problemOf("train.steps", nullptr), HasSubstr("whole number"));
  EXPECT_THAT(problemOf("train.steps", Json::object()), HasSubstr("whole number"));
  EXPECT_THAT(problemOf("train.steps", 0), HasSubstr("between 1 and"));
  EXPECT_THAT(problemOf("train.learning_rate", 2), HasSubstr("between 0 and 1"));
  EXPECT_THAT(problemOf("data.augment_flip", 1), HasSubstr("true or false"));
  EXPECT_THAT(problemOf("data.images", 1), HasSubstr("text"));
  EXPECT_THAT(problemOf("data.size", Json::array({16, 16})), HasSubstr("three numbers"));
  EXPECT_THAT(problemOf("data.size", Json::array({16, 16, 2})), HasSubstr("between 4 and"));
  EXPECT_THAT(problemOf("data.size", Json::array({16, 16, "x"})), HasSubstr("whole numbers"));
  EXPECT_THAT(problemOf("data.size", 16), HasSubstr("whole numbers"));
  EXPECT_THAT(problemOf("model.multipliers", Json::array({true})), HasSubstr("numbers"));
  EXPECT_THAT(problemOf("mode", "warp"), HasSubstr("there are baseline, fused"));
  EXPECT_THAT(problemOf("mode", "fused"), HasSubstr("it needs a GPU"));
  EXPECT_THAT(problemOf("data.labels", Json::array({1, 2, 3})), HasSubstr("condition channels"));
  EXPECT_THAT(problemOf("data.labels", Json::array({1, 1})), HasSubstr("1 twice"));
  EXPECT_THAT(problemOf("model.attention_factors", Json::array({3})), HasSubstr("has 3"));
  EXPECT_THAT(problemOf("data.images", ""), HasSubstr("folder"));
  EXPECT_THAT(problemOf("sample.steps", 300), HasSubstr("250 diffusion steps"));
  EXPECT_THAT(problemOf("model.base_channels", 40), HasSubstr("32"));
  EXPECT_THAT(problemOf("bench.steps", 3), HasSubstr("no meaning"));
  EXPECT_THAT(keysWithProblems(JobSpec("train")), Contains("data.images"));
  EXPECT_THAT(keysWithProblems(JobSpec("sample")), ElementsAre("sample.checkpoint"));
  JobSpec nothing("bench");
  nothing.set("bench.modes", Json::array());
  EXPECT_THAT(keysWithProblems(nothing), ElementsAre("bench.modes"));
  EXPECT_THAT(keysWithProblems(JobSpec("juggle")), ElementsAre("kind"));
  EXPECT_THAT(keysWithProblems(goodTrain()), IsEmpty());
}

TEST(JobSpec, AnUnconditionalNetworkNeedsNoMasks) {
  JobSpec spec("train");
  spec.set("data.images", "i");
  spec.set("model.condition_channels", 0);
  EXPECT_THAT(keysWithProblems(spec), IsEmpty());
}

TEST(JobSpec, CommandLineHasOnlyWhatDiffersAndGivesTheSameJob) {
  JobSpec spec = goodTrain();
  spec.set("data.size", Json::array({16, 16, 24}));
  spec.set("train.learning_rate", 1e-4);
  spec.fillDefaults(catalog());
  const auto words = spec.commandLine(catalog());
  EXPECT_THAT(words, ElementsAre("voxlab-worker", "train", "--set", "data.images=images", "--set", "data.masks=masks", "--set",
                                 "data.size=16,16,24", "--set", "train.learning_rate=0.0001"));
  JobSpec again(words[1]);
  for (std::size_t i = 3; i < words.size(); i += 2)
    ASSERT_TRUE(again.applyAssignment(words[i], catalog()));
  again.fillDefaults(catalog());
  EXPECT_EQ(again.commandLine(catalog()), words);
}

TEST(JobSpec, ShellCommandQuotesWhatTheShellWouldRead) {
  EXPECT_EQ(shellCommand({"voxlab-worker", "train", "--set", "data.images=/a b/it's", "", "x=1,2"}),
            "voxlab-worker train --set 'data.images=/a b/it'\\''s' '' x=1,2");
}

TEST(Catalog, RoundTrip) {
  Catalog c = catalog();
  c.versions = {{"voxlab", "0.1.0"}};
  const auto back = catalogFromJson(toJson(c));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(toJson(*back), toJson(c));
  EXPECT_EQ(back->find("none"), nullptr);
  EXPECT_EQ(back->find("mode")->choices[1].unavailable, "it needs a GPU.");
  EXPECT_NE(back->preset("train", "demo"), nullptr);
  EXPECT_EQ(back->preset("sample", "demo"), nullptr);
  EXPECT_THAT(back->forKind("sample"), Not(IsEmpty()));
}

TEST(Catalog, UnknownMembersAndTypesAreSkipped) {
  Json json = toJson(catalog());
  const std::size_t count = json["parameters"].size();
  json["later"] = 1;
  json["parameters"].push_back({{"key", "a"}, {"type", "hologram"}});
  const auto back = catalogFromJson(json);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->parameters.size(), count);
}

TEST(Catalog, WrongTypesAndNewerVersionsAreRefused) {
  EXPECT_FALSE(catalogFromJson(Json::array()));
  EXPECT_FALSE(catalogFromJson({{"parameters", 3}}));
  EXPECT_FALSE(catalogFromJson({{"parameters", Json::array({3})}}));
  EXPECT_FALSE(catalogFromJson({{"parameters", Json::array({{{"key", 3}}})}}));
  EXPECT_FALSE(catalogFromJson({{"parameters", Json::array({{{"type", "text"}}})}}));
  EXPECT_FALSE(catalogFromJson({{"presets", Json::array({{{"values", 1}}})}}));
  const auto newer = catalogFromJson({{"schema", "3.0"}});
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().message, HasSubstr("3.0"));
}
