// SPDX-License-Identifier: GPL-3.0-or-later
// A runs folder of its own and the fake worker; whatever still runs at the end is asked to stop and waited for.
#pragma once
#include "app/jobs/event_follower.h"
#include "app/jobs/job_controller.h"
#include "app/jobs/job_queue.h"
#include "app/jobs/local_target.h"
#include "app/jobs/run_store.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include <QSignalSpy>
#include <csignal>
#include <gtest/gtest.h>

namespace voxlab {

class Jobs : public testing::Test {
protected:
  Jobs() {
    tell("VOXLAB_FAKE_STEP_MS", "5");
    m_store.setFolder(m_folder.path());
  }
  ~Jobs() override {
    std::vector<RunDirectory> runs; // the list changes while the loop turns
    for (const RunListing& run : m_store.runs())
      runs.emplace_back(run.path);
    for (const RunDirectory& run : runs)
      if (const auto holder = run.lockHolder())
        ::kill(static_cast<pid_t>(holder->pid), SIGKILL);
    for (const RunDirectory& run : runs)
      EXPECT_SOON(!run.isLocked());
    for (const QByteArray& name : m_told)
      qunsetenv(name);
  }

  void tell(const char* name, const char* value) {
    qputenv(name, value);
    m_told << name;
  }
  static JobSpec train(std::int64_t steps) {
    JobSpec spec("train");
    spec.set("data.images", "images");
    spec.set("data.masks", "masks");
    spec.set("data.size", Json::array({8, 8, 8}));
    spec.set("train.steps", steps);
    spec.set("train.log_every", 1);
    return spec;
  }
  const RunListing* only() const { return m_store.runs().size() == 1 ? &m_store.runs().front() : nullptr; }
  bool isOnly(RunOutcome outcome) const { return only() && only()->outcome == outcome; }

  TemporaryFolder m_folder;
  std::shared_ptr<const ComputeTarget> m_target = makeTarget(QStringLiteral("local"), QString::fromStdString(program("voxlab-fake-worker").string()));
  RunStore m_store;
  JobController m_controller{m_target, m_store};
  QList<QByteArray> m_told;
};

} // namespace voxlab
