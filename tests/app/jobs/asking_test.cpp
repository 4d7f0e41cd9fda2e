// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/catalog_loader.h"
#include "app/jobs/dataset_checker.h"
#include "tests/app/jobs/jobs_fixture.h"

using namespace voxlab;

namespace {
class Asking : public Jobs {
protected:
  QString cache() const { return QString::fromStdString((m_folder / "catalog").string()); }
};
} // namespace

TEST_F(Asking, TheCatalogComesFromTheWorkerAndIsKept) {
  CatalogLoader first(m_target, cache());
  QSignalSpy loaded(&first, &CatalogLoader::loaded);
  first.load();
  ASSERT_SOON(loaded.count() == 1);
  EXPECT_NE(loaded[0][0].value<Catalog>().find("train.steps"), nullptr);
  EXPECT_SOON(QFile::exists(cache()));

  CatalogLoader second(m_target, cache());
  QSignalSpy again(&second, &CatalogLoader::loaded);
  second.load();
  EXPECT_EQ(again.count(), 1); // at once, from what was kept
}

TEST_F(Asking, WhatWasKeptOfAnotherWorkerIsNotUsed) {
  QFile file(cache());
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("another worker\n{}");
  file.close();
  CatalogLoader loader(m_target, cache());
  QSignalSpy loaded(&loader, &CatalogLoader::loaded);
  loader.load();
  EXPECT_EQ(loaded.count(), 0);
  EXPECT_SOON(loaded.count() == 1);
}

TEST_F(Asking, AWorkerThatFailsToDescribeIsReportedInWords) {
  for (const char* how : {"fail", "garbage"}) {
    tell("VOXLAB_FAKE_DESCRIBE", how);
    CatalogLoader loader(m_target, {});
    QSignalSpy failed(&loader, &CatalogLoader::failed);
    loader.load();
    ASSERT_SOON(failed.count() == 1) << how;
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("describe"))) << how;
  }
}

TEST_F(Asking, AQuestionThatIsNotWantedAnyMoreEndsItsWorker) {
  tell("VOXLAB_FAKE_DESCRIBE", "hang");
  auto* question = m_target->ask({QStringLiteral("describe")}, nullptr);
  QSignalSpy answered(question, &WorkerQuestion::answered);
  QElapsedTimer clock;
  clock.start();
  delete question;
  EXPECT_LT(clock.elapsed(), 1000); // it does not wait
}

TEST_F(Asking, TheDatasetCheckPassesOnWhatTheJobWouldRead) {
  JobSpec spec("train");
  spec.set("data.images", "/d/images");
  spec.set("data.masks", "/d/masks");
  spec.set("data.labels", Json::array({1, 3}));
  spec.set("data.preprocessing", "volume");
  EXPECT_EQ(datasetCheckArguments(spec), (QStringList{"dataset", "check", "/d/images", "/d/masks", "--set", "data.preprocessing=volume", "--set", "data.labels=1,3", "--format", "json"}));
}

TEST_F(Asking, ADatasetReportArrives) {
  DatasetChecker checker(m_target);
  QSignalSpy checked(&checker, &DatasetChecker::checked);
  JobSpec spec("train");
  spec.set("data.images", "/d/images");
  checker.check(spec);
  checker.check(spec); // the newest wins: one answer
  ASSERT_SOON(checked.count() == 1);
  EXPECT_EQ(jsonGet<int>(checked[0][0].value<Json>(), "errors"), 0);
}
