// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/event_follower.h"
#include "core/protocol/event_reader.h"
#include <QTimer>

namespace voxlab {
namespace {
constexpr int kBatchInterval_ms = 100; // ten a second
constexpr int kStandingEvery = 5;      // batches
constexpr std::size_t kBatchEvents = 20000, kLogBytes = 16384;
} // namespace

// Lives in the follower's thread.
class EventTail : public QObject {
  Q_OBJECT
public:
  EventTail(int generation, RunDirectory run)
      : m_generation(generation), m_run(std::move(run)), m_reader(m_run.eventsFile()), m_state(std::make_shared<RunState>()) {
    connect(&m_timer, &QTimer::timeout, this, &EventTail::poll);
  }
  void begin() {
    m_timer.start(kBatchInterval_ms);
    poll();
  }

signals:
  void caughtUp(int generation, std::shared_ptr<RunState> state);
  void batch(int generation, const std::vector<Event>& events);
  void standing(int generation, const RunStanding& standing);
  void broke(int generation, const QString& message);

private:
  void poll() {
    const auto before = m_reader.restarts();
    const auto events = m_reader.poll(kBatchEvents);
    if (!events) {
      emit broke(m_generation, QString::fromStdString(events.error().message));
      m_timer.stop();
      reportStanding();
      return;
    }
    if (m_reader.restarts() != before) { // the file was written anew: the story begins again
      m_state = std::make_shared<RunState>();
      m_handedOver = false;
    }
    m_handedOver ? pass(*events) : reduce(*events);
    if (m_polls++ % kStandingEvery == 0 || (m_handedOver && !events->empty() && events->back().type == event::kFinished))
      reportStanding();
  }
  void pass(const std::vector<Event>& events) {
    if (!events.empty())
      emit batch(m_generation, events);
  }
  void reduce(const std::vector<Event>& events) {
    for (const Event& event : events)
      if (const auto applied = m_state->apply(event); !applied) {
        emit broke(m_generation, QString::fromStdString(applied.error().message));
        m_timer.stop();
        return;
      }
    if (!m_reader.atEnd()) { // more is waiting
      QMetaObject::invokeMethod(this, &EventTail::poll, Qt::QueuedConnection);
      return;
    }
    m_handedOver = true;
    reportStanding();
    emit caughtUp(m_generation, std::move(m_state));
  }
  void reportStanding() {
    RunStanding now{m_run.outcome(), m_run.newestCheckpoint().has_value(), QString::fromUtf8(m_run.logTail(kLogBytes).c_str())};
    if (m_reported && now == m_last)
      return;
    m_last = now;
    m_reported = true;
    emit standing(m_generation, now);
  }

  int m_generation;
  RunDirectory m_run;
  EventReader m_reader;
  std::shared_ptr<RunState> m_state;
  QTimer m_timer{this}; // moves along to the thread
  RunStanding m_last;
  bool m_handedOver = false, m_reported = false;
  int m_polls = 0;
};

EventFollower::EventFollower(QObject* parent) : QObject(parent) {
  m_thread.setObjectName(QStringLiteral("events"));
  m_thread.start();
}

EventFollower::~EventFollower() {
  stop();
  m_thread.quit();
  m_thread.wait();
}

void EventFollower::stop() {
  ++m_generation;
  if (m_worker)
    m_worker->deleteLater();
  m_worker = nullptr;
  m_state.reset();
  m_standing = {};
  m_folder.clear();
}

void EventFollower::follow(const RunDirectory& run) {
  stop();
  m_folder = QString::fromStdString(run.path().string());
  auto* tail = new EventTail(m_generation, run);
  m_worker = tail;
  connect(tail, &EventTail::caughtUp, this, &EventFollower::takeOver);
  connect(tail, &EventTail::batch, this, &EventFollower::take);
  connect(tail, &EventTail::standing, this, [this](int generation, const RunStanding& standing) {
    if (generation != m_generation)
      return;
    m_standing = standing;
    emit standingChanged();
  });
  connect(tail, &EventTail::broke, this, [this](int generation, const QString& message) {
    if (generation == m_generation)
      emit failed(message);
  });
  tail->moveToThread(&m_thread);
  QMetaObject::invokeMethod(tail, &EventTail::begin, Qt::QueuedConnection);
}

void EventFollower::takeOver(int generation, std::shared_ptr<RunState> state) {
  if (generation != m_generation)
    return;
  m_state = std::move(state);
  emit opened();
}

void EventFollower::take(int generation, const std::vector<Event>& events) {
  if (generation != m_generation || !m_state)
    return;
  for (const Event& event : events)
    if (const auto applied = m_state->apply(event); !applied) {
      emit failed(QString::fromStdString(applied.error().message));
      return;
    }
  emit grew();
}

} // namespace voxlab

#include "event_follower.moc"
