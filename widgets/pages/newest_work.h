// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work beside the window, one piece at a time: the newest request wins, an older one is asked to stop and its result
// dropped. Starting and cancelling never wait; only the destructor does.
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace voxlab {

class NewestWork : public QObject {
public:
  explicit NewestWork(QObject* parent = nullptr) : QObject(parent) {}
  ~NewestWork() override;

  // work runs on a thread of its own. What it tells meanwhile and what it returns is called on this object's thread, if
  // nothing newer was started.
  using Report = std::function<void()>;
  using Tell = std::function<void(Report)>;
  using Work = std::function<Report(std::stop_token, const Tell&)>;
  void start(Work work);
  void cancel();
  bool isBusy() const { return m_busy; }

private:
  std::shared_ptr<std::jthread> m_thread;
  std::uint64_t m_request = 0;
  bool m_busy = false;
};

} // namespace voxlab
