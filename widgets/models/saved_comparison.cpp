// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/saved_comparison.h"
#include "core/base/files.h"
#include "core/protocol/version.h"
#include <QCoreApplication>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kLongestName = 100;

QString tr(const char* text) { return QCoreApplication::translate("SavedComparison", text); }

Json listOf(const QStringList& texts) {
  Json list = Json::array();
  for (const QString& text : texts)
    list.push_back(text.toStdString());
  return list;
}

QStringList listFrom(const Json& json, const char* key) {
  QStringList list;
  for (const std::string& text : jsonGet<std::vector<std::string>>(json, key).value_or(std::vector<std::string>{}))
    list << QString::fromStdString(text);
  return list;
}

QString textFrom(const Json& json, const char* key) { return QString::fromStdString(jsonGet<std::string>(json, key).value_or("")); }

std::map<std::string, std::string> tableFrom(const Json& json, const char* key) {
  std::map<std::string, std::string> table;
  if (const auto found = json.find(key); found != json.end() && found->is_object())
    for (const auto& [name, value] : found->items())
      if (value.is_string())
        table[name] = value.get<std::string>();
  return table;
}
} // namespace

Json toJson(const SavedComparison& saved) {
  return {{"schema", schemaVersion()},
          {"runs", listOf(saved.runs)},
          {"baseline", saved.baseline.toStdString()},
          {"workload", saved.workload.toStdString()},
          {"device", saved.device.toStdString()},
          {"names", saved.dress.names},
          {"notes", saved.dress.notes},
          {"pinned", saved.dress.pinned},
          {"order", saved.dress.order},
          {"hidden_measures", listOf(saved.hiddenMeasures)},
          {"prices_per_hour", saved.prices},
          {"currency", saved.currency.toStdString()},
          {"training_steps", saved.trainingSteps},
          {"sampling_steps", saved.samplingSteps}};
}

Result<SavedComparison> savedComparisonFrom(const Json& json) {
  if (!json.is_object() || !json.contains("schema"))
    return fail(ExitCode::Data, tr("This file is no saved comparison.").toStdString());
  if (const Status readable = checkSchema(json, "comparison"); !readable)
    return fail(readable.error());
  SavedComparison saved;
  saved.runs = listFrom(json, "runs");
  saved.baseline = textFrom(json, "baseline");
  saved.workload = textFrom(json, "workload");
  saved.device = textFrom(json, "device");
  saved.dress.names = tableFrom(json, "names");
  saved.dress.notes = tableFrom(json, "notes");
  saved.dress.pinned = jsonGet<std::vector<std::string>>(json, "pinned").value_or(std::vector<std::string>{});
  saved.dress.order = jsonGet<std::vector<std::string>>(json, "order").value_or(std::vector<std::string>{});
  saved.hiddenMeasures = listFrom(json, "hidden_measures");
  if (const auto prices = json.find("prices_per_hour"); prices != json.end() && prices->is_object())
    for (const auto& [device, price] : prices->items())
      if (price.is_number() && price.get<double>() >= 0)
        saved.prices[device] = price.get<double>();
  if (const QString currency = textFrom(json, "currency"); !currency.isEmpty())
    saved.currency = currency;
  saved.trainingSteps = std::clamp<std::int64_t>(jsonGet<std::int64_t>(json, "training_steps").value_or(saved.trainingSteps), 1, 1000000000);
  saved.samplingSteps = static_cast<int>(std::clamp<std::int64_t>(jsonGet<std::int64_t>(json, "sampling_steps").value_or(saved.samplingSteps), 1, 100000));
  return saved;
}

Result<std::filesystem::path> ComparisonShelf::fileOf(const QString& name) const {
  const QString trimmed = name.trimmed();
  if (trimmed.isEmpty() || trimmed.size() > kLongestName || trimmed.startsWith(QLatin1Char('.')) || trimmed.contains(QLatin1Char('/')) || trimmed.contains(QChar(0)))
    return fail(ExitCode::Usage, tr("A comparison's name has 1 to 100 characters, no slash, and no dot in front.").toStdString());
  return m_folder / (trimmed.toStdString() + ".json");
}

QString ComparisonShelf::lastUsed() { return tr("Last used"); }

QStringList ComparisonShelf::names() const {
  QStringList names;
  std::error_code ec;
  for (std::filesystem::directory_iterator it(m_folder, ec), end; !ec && it != end; it.increment(ec))
    if (it->path().extension() == ".json" && !it->path().filename().string().starts_with('.'))
      names << QString::fromStdString(it->path().stem().string());
  names.sort(Qt::CaseInsensitive);
  return names;
}

Result<SavedComparison> ComparisonShelf::load(const QString& name) const {
  const auto file = fileOf(name);
  if (!file)
    return fail(file.error());
  const auto json = readJsonFile(*file);
  if (!json)
    return fail(json.error());
  return savedComparisonFrom(*json);
}

Status ComparisonShelf::save(const QString& name, const SavedComparison& saved) const {
  const auto file = fileOf(name);
  if (!file)
    return fail(file.error());
  return writeJsonFile(*file, toJson(saved));
}

Status ComparisonShelf::remove(const QString& name) const {
  const auto file = fileOf(name);
  if (!file)
    return fail(file.error());
  std::error_code ec;
  std::filesystem::remove(*file, ec);
  return ec ? Status(fail(ExitCode::Data, tr("%1 could not be removed: %2.").arg(QString::fromStdString(file->string()), QString::fromStdString(ec.message())).toStdString())) : Status();
}

} // namespace voxlab
