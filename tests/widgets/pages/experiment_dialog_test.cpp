// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/experiment_dialog.h"
#include "core/protocol/job_parameters.h"
#include "widgets/pages/choice_cards.h"
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Catalog catalog() {
  CatalogChoices c;
  c.modes = {{"baseline", "Baseline", "", "", Json::object()}, {"opt1", "TF32", "", "", Json::object()}, {"fused_bf16", "Fused", "", "It needs a GPU.", Json::object()}};
  c.samplers = {{"ddpm", "DDPM", "", "", Json::object()}, {"ddim", "DDIM", "", "", Json::object()}};
  c.backends = {{"eager", "LibTorch", "", "", Json::object()}};
  c.devices = {{"auto", "Automatic", "", "", Json::object()}, {"cpu", "CPU", "", "", Json::object()}};
  c.preprocessing = {{"volume", "Volume-wise", "", "", Json::object()}};
  Catalog known;
  known.parameters = jobParameters(c);
  return known;
}
} // namespace

TEST(ExperimentDialog, SaysWhatIsMissingAndWhatItWillDo) {
  ExperimentDialog dialog(catalog());
  EXPECT_EQ(dialog.modes()->values(), (QStringList{"baseline", "opt1"})) << "what cannot run here is not chosen";
  EXPECT_TRUE(dialog.problem().contains("trained weights"));
  EXPECT_FALSE(dialog.queueButton()->isEnabled());
  dialog.setCheckpoints({{"Starter", "/weights/starter.safetensors"}});
  EXPECT_TRUE(dialog.problem().contains("mask"));
  dialog.setData("/data/masks", "/data/images");
  EXPECT_TRUE(dialog.problem().isEmpty()) << dialog.problem().toStdString();
  EXPECT_TRUE(dialog.queueButton()->isEnabled());
  EXPECT_TRUE(dialog.words().contains("11 job")) << dialog.words().toStdString(); // 1 benchmark, 2 × 2 volumes, as many qualities, 2 profiles
}

TEST(ExperimentDialog, StepsAreLists) {
  ExperimentDialog dialog(catalog());
  dialog.setCheckpoints({{"Starter", "/weights/starter.safetensors"}});
  dialog.setData("/data/masks", "/data/images");
  dialog.setSteps("ddim", "20, 50;100");
  dialog.setSteps("ddpm", "");
  ASSERT_EQ(dialog.plan().samplings.size(), 3u);
  EXPECT_EQ(dialog.plan().samplings[2].steps, 100);
  dialog.setSteps("ddim", "many");
  EXPECT_TRUE(dialog.problem().contains("whole numbers"));
  dialog.setSteps("ddim", "20,20");
  EXPECT_FALSE(dialog.problem().isEmpty()) << "one thing twice";
}

TEST(ExperimentDialog, WithoutAModeThereIsNothingToDo) {
  ExperimentDialog dialog(catalog());
  dialog.modes()->setValues({});
  emit dialog.modes()->edited();
  EXPECT_TRUE(dialog.problem().contains("mode"));
}

TEST(ExperimentDialog, WithoutVolumesTheirFieldsAreOff) {
  ExperimentDialog dialog(catalog());
  const auto boxes = dialog.findChildren<QCheckBox*>();
  const auto box = [&](const char* start) { return *std::find_if(boxes.begin(), boxes.end(), [&](const QCheckBox* b) { return b->text().startsWith(QLatin1String(start)); }); };
  const auto isOn = [&](const char* name) {
    for (const QWidget* field : dialog.findChildren<QWidget*>())
      if (field->accessibleName() == QLatin1String(name))
        return field->isEnabled();
    ADD_FAILURE() << "no field is named " << name;
    return false;
  };
  dialog.setSteps("ddim", "many");
  box("Volumes")->setChecked(false);
  for (const char* name : {"Trained weights", "Masks", "Real volumes", "Steps of DDIM"})
    EXPECT_FALSE(isOn(name)) << name;
  EXPECT_TRUE(isOn("Timed steps a mode"));
  EXPECT_TRUE(isOn("Seed")) << "benchmarks and profiles take it too";
  EXPECT_TRUE(dialog.problem().isEmpty()) << "steps that nobody takes are not held against it: " << dialog.problem().toStdString();
  box("Volumes")->setChecked(true);
  box("Their quality")->setChecked(false);
  EXPECT_TRUE(isOn("Masks"));
  EXPECT_FALSE(isOn("Real volumes"));
}

TEST(ExperimentDialog, TheSeedIsTheWholeExperimentsAndStandsBesideItsName) {
  ExperimentDialog dialog(catalog());
  const auto named = [&](const QString& name) {
    for (QWidget* field : dialog.findChildren<QWidget*>())
      if (field->accessibleName() == name)
        return field;
    return static_cast<QWidget*>(nullptr);
  };
  ASSERT_NE(named("Seed"), nullptr);
  dialog.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
  const auto middleOf = [&](QWidget* field) { return field->mapTo(&dialog, field->rect().center()).y(); };
  EXPECT_NEAR(middleOf(named("Seed")), middleOf(named("Name of the experiment")), 2);
}

TEST(ExperimentDialog, QualityNeedsRealVolumesOrBaselines) {
  ExperimentDialog dialog(catalog());
  dialog.setCheckpoints({{"Starter", "/weights/starter.safetensors"}});
  dialog.setData("/data/masks", "");
  EXPECT_TRUE(dialog.problem().isEmpty()) << "Baseline is among the modes: " << dialog.problem().toStdString();
  EXPECT_TRUE(dialog.words().contains("measurement")) << dialog.words().toStdString();
  dialog.modes()->setValues({"opt1"});
  emit dialog.modes()->edited();
  EXPECT_TRUE(dialog.problem().contains("real volumes")) << dialog.problem().toStdString();
}
