// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be done in this thread when work in another one has ended. QFuture::then(context, …) would say it more shortly, but loses its
// callback in Qt 6.4 now and then where the work ends while it is being attached.
#pragma once
#include <QFutureWatcher>
#include <type_traits>
#include <utility>

namespace voxlab {

// Calls done(result), or done() of work without one, in the thread of `context`, which is this one; never when the context has gone before,
// nor when the work was cancelled or threw.
template <class T, class Done> void whenDone(QFuture<T> work, QObject* context, Done done) {
  auto* watcher = new QFutureWatcher<T>(context);
  QObject::connect(watcher, &QFutureWatcher<T>::finished, context, [watcher, done = std::move(done)]() mutable {
    watcher->deleteLater();
    if (watcher->isCanceled())
      return;
    if constexpr (std::is_void_v<T>)
      done();
    else
      done(watcher->result());
  });
  watcher->setFuture(work); // last: what has ended already is told, too
}

} // namespace voxlab
