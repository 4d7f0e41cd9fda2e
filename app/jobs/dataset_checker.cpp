// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/dataset_checker.h"

namespace voxlab {

namespace {
// What the job would read them with; other values do not matter to the data.
constexpr const char* kKeys[] = {"data.preprocessing", "data.labels", "data.modalities", "model.image_channels", "model.condition_channels"};

QString assignment(const char* key, const Json& value) {
  QStringList parts;
  for (const Json& element : value.is_array() ? value : Json::array({value}))
    parts << QString::fromStdString(element.is_string() ? element.get<std::string>() : compactJson(element));
  return QLatin1String(key) + QLatin1Char('=') + parts.join(QLatin1Char(','));
}
} // namespace

QStringList datasetCheckArguments(const JobSpec& spec) {
  QStringList arguments{QStringLiteral("dataset"), QStringLiteral("check"), QString::fromStdString(spec.get<std::string>("data.images"))};
  if (const auto masks = spec.get<std::string>("data.masks"); !masks.empty())
    arguments << QString::fromStdString(masks);
  for (const char* key : kKeys)
    if (const Json& value = spec.value(key); !value.is_null() && !(value.is_array() && value.empty()) && value != "")
      arguments << QStringLiteral("--set") << assignment(key, value);
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
