// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/local_target.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace voxlab {
namespace {
const QString kProgram = QStringLiteral("voxlab-worker");

QString tr(const char* text) { return QCoreApplication::translate("LocalTarget", text); }

bool isProgram(const QString& path) {
  const QFileInfo info(path);
  return info.isFile() && info.isExecutable();
}

// Ends its process when it goes, without waiting for it.
class ProcessQuestion : public WorkerQuestion {
public:
  ProcessQuestion(const QString& program, const QStringList& arguments, QObject* parent) : WorkerQuestion(parent), m_process(new QProcess(this)) {
    connect(m_process, &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
      emit answered({status == QProcess::NormalExit ? exitCode : -1, m_process->readAllStandardOutput(), m_process->readAllStandardError()});
    });
    connect(m_process, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
      if (error == QProcess::FailedToStart)
        emit failed(tr("%1 could not be started: %2.").arg(program, m_process->errorString()));
    });
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->start(program, arguments);
  }
  ~ProcessQuestion() override {
    m_process->disconnect(this);
    if (m_process->state() == QProcess::NotRunning)
      return;
    m_process->setParent(nullptr); // QProcess's destructor would wait
    QObject::connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    m_process->kill();
  }

private:
  QProcess* m_process;
};

class FailedQuestion : public WorkerQuestion {
public:
  FailedQuestion(const Error& error, QObject* parent) : WorkerQuestion(parent) {
    QMetaObject::invokeMethod(this, [this, message = QString::fromStdString(error.message)] { emit failed(message); }, Qt::QueuedConnection);
  }
};
} // namespace

QString LocalTarget::title() const { return tr("This computer"); }

Result<QString> LocalTarget::findWorker() const {
  if (!m_worker.isEmpty()) {
    if (isProgram(m_worker))
      return m_worker;
    return fail(ExitCode::NoDevice, tr("There is no worker program at %1. Correct its path in the settings.").arg(m_worker).toStdString());
  }
  const QString fromEnvironment = qEnvironmentVariable("VOXLAB_WORKER");
  if (!fromEnvironment.isEmpty()) {
    if (isProgram(fromEnvironment))
      return fromEnvironment;
    return fail(ExitCode::NoDevice, tr("VOXLAB_WORKER names %1, which is not a program.").arg(fromEnvironment).toStdString());
  }
  const QString beside = QCoreApplication::applicationDirPath() + QLatin1Char('/') + kProgram;
  if (isProgram(beside))
    return beside;
  const QString onPath = QStandardPaths::findExecutable(kProgram);
  if (!onPath.isEmpty())
    return onPath;
  return fail(ExitCode::NoDevice,
              tr("No voxlab-worker was found beside the studio or on the PATH. Build it, or name it in the settings or in VOXLAB_WORKER.").toStdString());
}

Result<qint64> LocalTarget::start(const RunDirectory& run, StartFrom from) const {
  const auto worker = findWorker();
  if (!worker)
    return fail(worker.error());
  QStringList arguments{QStringLiteral("run"), QString::fromStdString(run.path().string())};
  if (from == StartFrom::Checkpoint)
    arguments << QStringLiteral("--resume");
  QProcess process; // started detached: a session of its own, adopted by init
  process.setProgram(*worker);
  process.setArguments(arguments);
  process.setWorkingDirectory(QString::fromStdString(run.path().string()));
  process.setStandardInputFile(QProcess::nullDevice());
  const QString log = QString::fromStdString(run.logFile().string());
  process.setStandardOutputFile(log, QIODevice::Append);
  process.setStandardErrorFile(log, QIODevice::Append);
  qint64 processId = 0;
  if (process.startDetached(&processId))
    return processId;
  return fail(ExitCode::Internal, tr("%1 could not be started: %2.").arg(*worker, process.errorString()).toStdString());
}

bool LocalTarget::isAlive(qint64 processId) const {
  QFile stat(QStringLiteral("/proc/%1/stat").arg(processId));
  if (processId <= 0 || !QFile::exists(QStringLiteral("/proc/self/stat")))
    return true;
  if (!stat.open(QIODevice::ReadOnly))
    return false;
  const QByteArray line = stat.readAll(); // "pid (name) state …"; nobody may have collected a dead one yet
  return line.mid(line.lastIndexOf(')') + 2, 1) != "Z";
}

WorkerQuestion* LocalTarget::ask(const QStringList& arguments, QObject* parent) const {
  const auto worker = findWorker();
  if (!worker)
    return new FailedQuestion(worker.error(), parent);
  return new ProcessQuestion(*worker, arguments, parent);
}

QString LocalTarget::fingerprint() const {
  const auto worker = findWorker();
  if (!worker)
    return {};
  const QFileInfo info(*worker);
  return QStringLiteral("%1 %2 %3").arg(info.canonicalFilePath()).arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
}

} // namespace voxlab
