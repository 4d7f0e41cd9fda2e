// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/dataset_checker.h"

namespace voxlab {

QStringList datasetCheckArguments(const JobSpec& spec) {
  QStringList arguments{QStringLiteral("dataset"), QStringLiteral("check"), QString::fromStdString(spec.get<std::string>("data.images"))};
  if (const auto masks = spec.get<std::string>("data.masks"); !masks.empty())
    arguments << QStringLiteral("--masks") << QString::fromStdString(masks);
  QStringList labels;
  for (const auto label : spec.get<std::vector<std::int64_t>>("data.labels"))
    labels << QString::number(label);
  if (!labels.isEmpty())
    arguments << QStringLiteral("--labels") << labels.join(QLatin1Char(','));
  return arguments << QStringLiteral("--format") << QStringLiteral("json");
}

void DatasetChecker::cancel() { delete m_question; }

void DatasetChecker::check(const JobSpec& spec) {
  cancel();
  m_question = m_target->ask(datasetCheckArguments(spec), this);
  connect(m_question, &WorkerQuestion::answered, this, [this](const WorkerAnswer& answer) {
    m_question->deleteLater();
    take(answer);
  });
  connect(m_question, &WorkerQuestion::failed, this, [this](const QString& message) {
    m_question->deleteLater();
    emit failed(message);
  });
}

void DatasetChecker::take(const WorkerAnswer& answer) {
  const std::string_view output(answer.output.constData(), static_cast<std::size_t>(answer.output.size()));
  const auto report = parseJson(output, "voxlab-worker dataset check"); // findings end with code 4, and are a report all the same
  if (report && report->is_object()) {
    emit checked(*report);
    return;
  }
  const QString said = QString::fromUtf8(answer.errors).trimmed();
  emit failed(said.isEmpty() ? tr("“voxlab-worker dataset check” ended with code %1 and said nothing.").arg(answer.exitCode) : said);
}

} // namespace voxlab
