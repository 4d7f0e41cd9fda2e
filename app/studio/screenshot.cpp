// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/screenshot.h"
#include "app/studio/main_window.h"
#include "core/base/result.h"
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <cstdio>

namespace voxlab {
namespace {
constexpr int kInterval_ms = 100, kLooks = 5;
}

Screenshot::Screenshot(MainWindow& window, QString file, std::function<bool()> isReady)
    : QObject(&window), m_window(window), m_file(std::move(file)), m_isReady(std::move(isReady)) {
  connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
  m_timer.start(kInterval_ms);
}

void Screenshot::look() {
  m_readyFor = m_isReady() ? m_readyFor + 1 : 0;
  if (m_readyFor < kLooks)
    return;
  m_timer.stop();
  save();
}

void Screenshot::save() {
  QDir().mkpath(QFileInfo(m_file).absolutePath());
  const bool saved = m_window.grab().save(m_file);
  if (!saved)
    std::fprintf(stderr, "The picture could not be written to %s.\n", qUtf8Printable(m_file));
  m_window.close();
  QCoreApplication::exit(static_cast<int>(saved ? ExitCode::Finished : ExitCode::Data));
}

} // namespace voxlab
