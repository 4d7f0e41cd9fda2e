// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/newest_work.h"
#include <QMetaObject>

namespace voxlab {

NewestWork::~NewestWork() {
  if (!m_thread)
    return;
  m_thread->request_stop();
  m_thread->join(); // it waits for those before it
}

void NewestWork::start(Work work) {
  const std::uint64_t request = ++m_request;
  m_busy = true;
  const std::shared_ptr<std::jthread> previous = std::move(m_thread);
  if (previous)
    previous->request_stop();
  // Waits for the one before it, so that two are never in memory at once.
  m_thread = std::make_shared<std::jthread>([this, request, previous, work = std::move(work)](std::stop_token stop) mutable {
    if (previous)
      previous->join();
    const Tell tell = [this, request, stop](Report report) {
      if (stop.stop_requested())
        return;
      QMetaObject::invokeMethod(
          this,
          [this, request, report = std::move(report)] {
            if (request == m_request && report)
              report();
          },
          Qt::QueuedConnection);
    };
    if (stop.stop_requested())
      return;
    Report end = work(stop, tell);
    work = nullptr; // what it holds goes now, on this thread
    tell([this, end = std::move(end)] {
      m_busy = false;
      if (end)
        end();
    });
  });
}

void NewestWork::cancel() {
  ++m_request;
  m_busy = false;
  if (m_thread)
    m_thread->request_stop();
}

} // namespace voxlab
