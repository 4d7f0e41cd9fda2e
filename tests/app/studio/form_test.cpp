// SPDX-License-Identifier: GPL-3.0-or-later
// The launch form: built from the catalog, checked while typing.
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/choice_cards.h"
#include "widgets/pages/form_group.h"

using namespace voxlab;

TEST_F(Window, EveryParameterOfTheKindHasAField) {
  for (const char* kind : {"train", "sample", "bench"}) {
    m_window->launchPage()->selectKind(QString::fromLatin1(kind));
    for (const Parameter* parameter : bench().catalog().forKind(kind)) {
      FormRow* row = form()->row(QString::fromStdString(parameter->key));
      ASSERT_NE(row, nullptr) << parameter->key;
      if (!parameter->defaultValue.is_null()) {
        EXPECT_EQ(row->editor()->value(), parameter->defaultValue) << parameter->key;
      }
      EXPECT_FALSE(row->editor()->focusTarget()->accessibleName().isEmpty()) << parameter->key;
    }
  }
}

TEST_F(Window, ThereIsAReasonWhileTheJobCannotStart) {
  m_window->showPage(QStringLiteral("new-job"));
  EXPECT_FALSE(summary()->startButton()->isEnabled());
  EXPECT_FALSE(summary()->startButton()->toolTip().isEmpty());
  fillForm(QStringLiteral("10"));
  EXPECT_TRUE(summary()->startButton()->isEnabled());
}

TEST_F(Window, DataThatHoldNothingKeepTheJobFromStarting) {
  fillForm(QStringLiteral("10"));
  ASSERT_TRUE(summary()->startButton()->isEnabled());
  DatasetReport report;
  m_window->launchPage()->setDatasetReport(report); // no pairs
  EXPECT_FALSE(summary()->startButton()->isEnabled());
  EXPECT_FALSE(summary()->startButton()->toolTip().isEmpty());
  m_window->launchPage()->selectKind(QStringLiteral("sample"));
  EXPECT_FALSE(summary()->startButton()->toolTip().contains(QStringLiteral("train"))) << "sampling needs none";
  m_window->launchPage()->selectKind(QStringLiteral("train"));
  report.pairs = 3;
  m_window->launchPage()->setDatasetReport(report);
  EXPECT_TRUE(summary()->startButton()->isEnabled());
}

TEST_F(Window, ComparingModesAsksForABenchmarkOfTheSameNetwork) {
  fillForm(QStringLiteral("10"));
  JobSpec asked;
  const LaunchPage* page = m_window->launchPage();
  QObject::connect(page, &LaunchPage::queueRequested, page, [&](const JobSpec& spec) { asked = spec; });
  auto* compare = page->findChild<QPushButton*>(QStringLiteral("compareModes"));
  ASSERT_NE(compare, nullptr);
  compare->click();
  EXPECT_EQ(asked.kind(), "bench");
  EXPECT_EQ(asked.value("data.size"), Json::array({16, 16, 16}));
  EXPECT_FALSE(asked.value("bench.modes").empty());
  EXPECT_TRUE(asked.problems(bench().catalog()).empty());
  EXPECT_SOON(!bench().queue().ids().isEmpty());
}

TEST_F(Window, WrongValuesAreNamedAtTheirField) {
  fillForm(QStringLiteral("10"));
  const std::pair<const char*, const char*> wrong[] = {
      {"train.steps", "many"}, {"train.steps", "0"}, {"train.steps", "1.5"}, {"train.learning_rate", "fast"}, {"data.size", "64, 64"}, {"model.base_channels", "33"}};
  for (const auto& [key, text] : wrong) {
    const QString before = field(key)->text();
    type(key, QString::fromLatin1(text));
    EXPECT_FALSE(form()->row(QString::fromLatin1(key))->problem().isEmpty()) << key << " = " << text;
    EXPECT_FALSE(summary()->startButton()->isEnabled());
    type(key, before);
    EXPECT_TRUE(form()->row(QString::fromLatin1(key))->problem().isEmpty()) << key;
    EXPECT_TRUE(summary()->startButton()->isEnabled());
  }
}

TEST_F(Window, PeoplesWaysOfWritingNumbersAreUnderstood) {
  EXPECT_EQ(valueFromText(ParameterType::Integer, QStringLiteral("20 000")), 20000);
  EXPECT_EQ(valueFromText(ParameterType::Integer, QStringLiteral("1e5")), 100000);
  EXPECT_EQ(valueFromText(ParameterType::Number, QStringLiteral("0,5")), 0.5);
  EXPECT_EQ(valueFromText(ParameterType::Number, QStringLiteral("1e-5")), 1e-5);
  for (const char* text : {"64, 64, 32", "64 64 32", "64x64x32", "64×64×32"})
    EXPECT_EQ(valueFromText(ParameterType::IntegerList, QString::fromUtf8(text)), Json::array({64, 64, 32})) << text;
  EXPECT_EQ(valueFromText(ParameterType::Integer, QStringLiteral("4294967295")), 4294967295);
  EXPECT_TRUE(valueFromText(ParameterType::Integer, QStringLiteral("five")).is_string());
}

TEST_F(Window, APresetFillsTheFormAndKeepsTheFolders) {
  fillForm(QStringLiteral("77"));
  m_window->launchPage()->applyPreset(QStringLiteral("published"));
  const JobSpec spec = m_window->launchPage()->spec();
  EXPECT_EQ(spec.get<std::int64_t>("train.steps"), 100000);
  EXPECT_EQ(spec.get<std::string>("data.images"), "/data/heads/images");
  m_window->launchPage()->applyPreset({});
  EXPECT_EQ(m_window->launchPage()->spec().get<std::int64_t>("train.steps"), bench().catalog().find("train.steps")->defaultValue);
}

TEST_F(Window, UnavailableModesSayWhyAndCannotBeTaken) {
  m_window->showPage(QStringLiteral("new-job"));
  auto* cards = qobject_cast<ChoiceCards*>(form()->row(QStringLiteral("mode"))->editor()->focusTarget());
  ASSERT_NE(cards, nullptr);
  ChoiceCard* card = cards->card(QStringLiteral("fused_bf16"));
  ASSERT_NE(card, nullptr);
  EXPECT_FALSE(card->isEnabled());
  EXPECT_TRUE(card->accessibleDescription().contains(QStringLiteral("8.0")));
}

TEST_F(Window, ASettingIsFoundByTypingAlsoAnAdvancedOne) {
  m_window->showPage(QStringLiteral("new-job"));
  FormRow* decay = form()->row(QStringLiteral("train.ema_decay"));
  EXPECT_FALSE(decay->isVisible());
  form()->filter(QStringLiteral("EMA decay"));
  EXPECT_TRUE(decay->isVisible());
  EXPECT_FALSE(form()->row(QStringLiteral("train.steps"))->isVisible());
  form()->filter({});
  EXPECT_FALSE(decay->isVisible());
  EXPECT_TRUE(form()->row(QStringLiteral("train.steps"))->isVisible());
}

TEST_F(Window, TheSameJobComesBackFromItsRun) {
  fillForm(QStringLiteral("5"));
  click(summary()->startButton());
  ASSERT_SOON(isOutcome(RunOutcome::Finished));
  m_window->launchPage()->applyPreset({});
  emit m_window->runsPanel()->actionChosen(QStringLiteral("again"), {bench().currentId()});
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("new-job"));
  EXPECT_EQ(field("train.steps")->text(), QStringLiteral("5"));
}

class WindowWithoutWorker : public Window {
protected:
  WindowWithoutWorker() {
    m_window.reset();
    tell("VOXLAB_WORKER", "/no/such/worker");
    open();
  }
};

TEST_F(WindowWithoutWorker, SaysWhatIsMissing) {
  m_window->showPage(QStringLiteral("new-job"));
  bool said = false;
  for (const QLabel* label : m_window->launchPage()->findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("/no/such/worker")));
  EXPECT_TRUE(said);
}

TEST_F(Window, TheSummaryOfASamplingCountsVolumes) {
  m_window->showPage(QStringLiteral("new-job"));
  const auto shown = [this] {
    QStringList words;
    for (const QLabel* label : summary()->findChildren<QLabel*>())
      if (!label->isHidden())
        words << label->text();
    return words;
  };
  m_window->launchPage()->selectKind(QStringLiteral("train"));
  EXPECT_TRUE(shown().contains(QStringLiteral("Steps")));
  EXPECT_FALSE(shown().contains(QStringLiteral("Volumes a mask")));
  m_window->launchPage()->selectKind(QStringLiteral("sample"));
  EXPECT_TRUE(shown().contains(QStringLiteral("Volumes a mask")));
  EXPECT_FALSE(shown().contains(QStringLiteral("Steps"))) << "of which a sampling has none";
  EXPECT_FALSE(shown().contains(QStringLiteral("Memory"))) << "the checkpoint's network is not known here";
}
