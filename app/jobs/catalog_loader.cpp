// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/catalog_loader.h"
#include "core/base/files.h"
#include <QFile>
#include <QtConcurrent>

namespace voxlab {
namespace {
Result<Catalog> parse(const QByteArray& output) {
  const auto json = parseJson(std::string_view(output.constData(), static_cast<std::size_t>(output.size())), "voxlab-worker describe");
  return json ? catalogFromJson(*json) : fail(json.error());
}

QString lastLine(const QByteArray& errors) {
  const QList<QByteArray> lines = errors.trimmed().split('\n');
  return lines.isEmpty() ? QString() : QString::fromUtf8(lines.last());
}
} // namespace

CatalogLoader::CatalogLoader(std::shared_ptr<const ComputeTarget> target, QString cacheFile, QObject* parent)
    : QObject(parent), m_target(std::move(target)), m_cacheFile(std::move(cacheFile)) {}

void CatalogLoader::load() {
  delete m_question;
  m_lastOutput.clear();
  const QString fingerprint = m_target->fingerprint();
  takeKept(fingerprint);
  m_question = m_target->ask({QStringLiteral("describe")}, this);
  connect(m_question, &WorkerQuestion::answered, this, [this, fingerprint](const WorkerAnswer& answer) {
    take(answer, fingerprint);
    m_question->deleteLater();
  });
  connect(m_question, &WorkerQuestion::failed, this, [this](const QString& message) {
    m_question->deleteLater();
    emit failed(message);
  });
}

bool CatalogLoader::takeKept(const QString& fingerprint) {
  QFile file(m_cacheFile);
  if (m_cacheFile.isEmpty() || fingerprint.isEmpty() || !file.open(QIODevice::ReadOnly))
    return false;
  if (QString::fromUtf8(file.readLine()).trimmed() != fingerprint)
    return false;
  m_lastOutput = file.readAll();
  const auto catalog = parse(m_lastOutput);
  if (!catalog) {
    m_lastOutput.clear();
    return false;
  }
  emit loaded(*catalog);
  return true;
}

void CatalogLoader::take(const WorkerAnswer& answer, const QString& fingerprint) {
  if (answer.exitCode != 0) {
    const QString said = lastLine(answer.errors);
    emit failed(said.isEmpty() ? tr("“voxlab-worker describe” ended with code %1 and said nothing.").arg(answer.exitCode)
                               : tr("“voxlab-worker describe” ended with code %1: %2").arg(answer.exitCode).arg(said));
    return;
  }
  if (answer.output == m_lastOutput) // as it was kept: the form stands already
    return;
  const auto catalog = parse(answer.output);
  if (!catalog) {
    emit failed(QString::fromStdString(catalog.error().message));
    return;
  }
  m_lastOutput = answer.output;
  emit loaded(*catalog);
  if (m_cacheFile.isEmpty())
    return;
  const QByteArray kept = fingerprint.toUtf8() + '\n' + answer.output;
  // A cache that cannot be written is no misfortune: the worker is asked again next time.
  QThreadPool::globalInstance()->start([file = m_cacheFile.toStdString(), kept] { (void)writeFileAtomically(file, kept.toStdString()); });
}

} // namespace voxlab
