// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/demo.h"
#include "app/studio/main_window.h"
#include "widgets/pages/runs_panel.h"
#include "widgets/pages/toasts.h"
#include <QDir>
#include <QFileInfo>

namespace voxlab {
namespace {
QString starterWeights(const Settings& settings) {
  const QDir folder(settings.resourcesFolder() + QStringLiteral("/starter"));
  const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files, QDir::Name);
  return settings.resourcesFolder().isEmpty() || files.isEmpty() ? QString() : files.first().absoluteFilePath();
}
} // namespace

Result<JobSpec> demoSpec(const Catalog& catalog, const Settings& settings) {
  const QString data = settings.demoFolder();
  if (!QFileInfo(data + QStringLiteral("/images")).isDir() || !QFileInfo(data + QStringLiteral("/masks")).isDir())
    return fail(ExitCode::Data, QObject::tr("The demo's data are not in %1 yet. packaging/demo_data.sh makes them from freely available MRI.").arg(data).toStdString());
  JobSpec spec("train");
  if (const Preset* preset = catalog.preset("train", "demo"))
    spec.apply(*preset);
  spec.set("data.images", (data + QStringLiteral("/images")).toStdString());
  spec.set("data.masks", (data + QStringLiteral("/masks")).toStdString());
  if (const QString starter = starterWeights(settings); !starter.isEmpty())
    spec.set("train.start", starter.toStdString());
  spec.fillDefaults(catalog);
  return spec;
}

Demo::Demo(MainWindow& window, const Settings& settings) : QObject(&window), m_window(window), m_settings(settings) {
  Workbench& bench = m_window.workbench();
  connect(&bench, &Workbench::catalogChanged, this, &Demo::launch);
  connect(&bench, &Workbench::catalogFailed, this, [this](const QString& message) {
    if (m_waiting && !m_window.workbench().hasCatalog())
      giveUp(message);
  });
  connect(&bench, &Workbench::runLaunched, this, [this](const QString& id) {
    if (m_launched && m_runId.isEmpty())
      m_runId = id;
  });
  connect(&bench, &Workbench::trouble, this, [this](const QString& message, const QString& id) {
    if (m_launched && !m_isOver && (m_runId.isEmpty() || id == m_runId))
      m_problem = message;
    if (m_launched && m_runId.isEmpty())
      m_isOver = true;
  });
  connect(&bench, &Workbench::headingChanged, this, &Demo::followUp);
}

void Demo::start() {
  m_waiting = true;
  m_launched = m_isOver = false;
  m_runId.clear();
  m_problem.clear();
  if (m_window.workbench().hasCatalog())
    launch();
}

void Demo::launch() {
  if (!m_waiting)
    return;
  m_waiting = false;
  const auto spec = demoSpec(m_window.workbench().catalog(), m_settings);
  if (!spec) {
    giveUp(QString::fromStdString(spec.error().message));
    return;
  }
  m_launched = true;
  m_window.workbench().launch(*spec);
}

void Demo::giveUp(const QString& message) {
  m_waiting = false;
  m_problem = message;
  m_isOver = true;
  m_window.toasts()->add(ToastKind::Failure, message);
}

void Demo::followUp() {
  const RunHeading heading = m_window.workbench().heading();
  if (m_runId.isEmpty() || m_isOver || heading.id != m_runId)
    return;
  const bool ended = heading.outcome != RunOutcome::Running && heading.outcome != RunOutcome::Waiting && heading.outcome != RunOutcome::Unknown;
  const auto state = m_window.workbench().follower().state();
  if (!ended || !state || state->outcome() == RunOutcome::Running) // the last events may still be on their way
    return;
  m_isOver = true;
  if (heading.outcome != RunOutcome::Finished)
    m_problem = heading.message;
  if (!state->samples().empty())
    m_window.openVolume(m_window.workbench().follower().folder() + QLatin1Char('/') + QString::fromStdString(state->samples().back().path));
}

} // namespace voxlab
