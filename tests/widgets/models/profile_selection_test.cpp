// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/profile_selection.h"
#include <QSignalSpy>
#include <gtest/gtest.h>

using namespace voxlab;
using Adding = ProfileSelection::Adding;
using Part = ProfileSelection::Part;

TEST(ProfileSelection, CategoriesAreChosenAloneOrAdded) {
  ProfileSelection selection;
  QSignalSpy changed(&selection, &ProfileSelection::changed);
  selection.chooseCategory(KernelCategory::Copy);
  selection.chooseCategory(KernelCategory::Reduction);
  EXPECT_EQ(selection.filter().categories, (std::set{KernelCategory::Reduction}));
  selection.chooseCategory(KernelCategory::Copy, Adding::AsWell);
  EXPECT_EQ(selection.filter().categories, (std::set{KernelCategory::Copy, KernelCategory::Reduction}));
  selection.chooseCategory(KernelCategory::Copy, Adding::AsWell);
  EXPECT_EQ(selection.filter().categories, (std::set{KernelCategory::Reduction}));
  selection.chooseCategory(KernelCategory::Reduction);
  EXPECT_TRUE(selection.isEmpty()) << "the same again takes it away";
  EXPECT_EQ(changed.count(), 5);
}

TEST(ProfileSelection, AModuleChosenAgainGivesTheOneAboveIt) {
  ProfileSelection selection;
  selection.setModule(QStringLiteral("input_blocks.3.0"));
  selection.setModule(QStringLiteral("input_blocks.3.0"));
  EXPECT_EQ(selection.filter().module, "input_blocks.3");
  selection.setModule(QStringLiteral("input_blocks.3"));
  selection.setModule(QStringLiteral("input_blocks"));
  EXPECT_EQ(selection.filter().module, "");
}

TEST(ProfileSelection, WhatHasNoModuleOrOperatorIsChosenAsTheyAre) {
  ProfileSelection selection;
  selection.setModule(QStringLiteral("out"));
  selection.setWithoutModule();
  EXPECT_TRUE(selection.filter().withoutModule);
  EXPECT_EQ(selection.filter().module, "");
  ASSERT_EQ(selection.chips().size(), 1u);
  EXPECT_EQ(selection.chips()[0].text, QStringLiteral("no module"));
  selection.setModule(QStringLiteral("out"));
  EXPECT_FALSE(selection.filter().withoutModule);
  selection.goBack();
  EXPECT_TRUE(selection.filter().withoutModule);
  selection.setWithoutModule();
  EXPECT_TRUE(selection.isEmpty()) << "the same again takes it away";
  selection.setOperator(Phase::Unknown, QStringLiteral("aten::add"));
  selection.setWithoutOperator(Phase::Forward);
  EXPECT_EQ(selection.filter().operatorName, "");
  ASSERT_EQ(selection.chips().size(), 1u);
  EXPECT_EQ(selection.chips()[0].text, QStringLiteral("forward · no operator"));
  selection.setWithoutOperator(Phase::Forward);
  EXPECT_FALSE(selection.filter().withoutOperator);
  EXPECT_EQ(*selection.filter().phase, Phase::Forward) << "all of the phase";
  selection.setWithoutOperator(Phase::Unknown);
  selection.clear(Part::Operator);
  EXPECT_TRUE(selection.isEmpty());
}

TEST(ProfileSelection, StepsAreTimeRangesWithAName) {
  ProfileSelection selection;
  selection.setStep(2, 1000, 5000);
  ASSERT_TRUE(selection.filter().time_ns);
  EXPECT_EQ(*selection.filter().time_ns, (std::pair<std::int64_t, std::int64_t>{1000, 5000}));
  EXPECT_TRUE(selection.chips()[0].text.contains(QStringLiteral("Step 2")));
  selection.setStep(2, 1000, 5000);
  EXPECT_TRUE(selection.isEmpty());
  selection.setTime({{900, 100}});
  EXPECT_EQ(*selection.filter().time_ns, (std::pair<std::int64_t, std::int64_t>{100, 900})) << "dragged to the left";
}

TEST(ProfileSelection, GoesBackStepByStepAndTakesTypedWordsAtOnce) {
  ProfileSelection selection;
  selection.chooseCategory(KernelCategory::Copy);
  for (const char* typed : {"w", "wg", "wgrad"})
    selection.setWords(QString::fromLatin1(typed));
  selection.setOperator(Phase::Forward, QStringLiteral("aten::add"));
  EXPECT_EQ(selection.chips().size(), 3u);
  selection.goBack();
  EXPECT_FALSE(selection.filter().phase);
  EXPECT_EQ(selection.filter().text, "wgrad");
  selection.goBack();
  EXPECT_EQ(selection.filter().text, "");
  EXPECT_EQ(selection.filter().categories.size(), 1u);
  selection.goBack();
  EXPECT_TRUE(selection.isEmpty());
  EXPECT_FALSE(selection.canGoBack());
  selection.goBack();
  selection.setModule(QStringLiteral("out"));
  selection.reset();
  EXPECT_TRUE(selection.isEmpty());
  EXPECT_FALSE(selection.canGoBack()) << "times and modules of another profile mean nothing here";
}

TEST(ProfileSelection, PartsAreTakenAwayOneByOne) {
  ProfileSelection selection;
  selection.setTime({{1, 2}});
  selection.chooseCategory(KernelCategory::Copy);
  selection.setModule(QStringLiteral("out"));
  selection.setOperator(Phase::Unknown, QStringLiteral("aten::add"));
  selection.setWords(QStringLiteral("x"));
  std::size_t left = 5;
  for (const Part part : {Part::Time, Part::Categories, Part::Module, Part::Operator, Part::Words}) {
    EXPECT_EQ(selection.chips().size(), left--);
    selection.clear(part);
  }
  EXPECT_TRUE(selection.isEmpty());
  QSignalSpy changed(&selection, &ProfileSelection::changed);
  selection.clear();
  EXPECT_EQ(changed.count(), 0) << "nothing changed";
}
