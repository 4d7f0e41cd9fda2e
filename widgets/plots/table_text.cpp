// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/table_text.h"
#include "core/base/csv.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include <QFileInfo>

namespace voxlab {
namespace {
Json valueOf(const std::string& field) {
  if (field.empty())
    return nullptr;
  bool isNumber = false;
  const double number = QString::fromStdString(field).toDouble(&isNumber);
  return isNumber ? Json(number) : Json(field);
}
} // namespace

QString csvRow(const QStringList& fields) {
  std::vector<std::string> line;
  for (const QString& field : fields)
    line.push_back(field.toStdString());
  return QString::fromStdString(csvLine(line));
}

QString csvAsJson(const QString& csv) {
  const std::string text = csv.toStdString();
  const auto source = byteSourceFromText(text, "table");
  CsvReader reader(*source);
  std::vector<std::string> names, row;
  Json rows = Json::array();
  for (auto more = reader.next(row); more && *more; more = reader.next(row)) {
    if (names.empty()) {
      names = row;
      continue;
    }
    Json object = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
      object[names[i]] = i < row.size() ? valueOf(row[i]) : Json();
    rows.push_back(std::move(object));
  }
  return QString::fromStdString(rows.dump(2)) + QLatin1Char('\n');
}

Status writeTable(const QString& csv, const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix != QLatin1String("csv") && suffix != QLatin1String("json"))
    return fail(ExitCode::Usage, "Tables are saved as .csv or .json, not as ." + suffix.toStdString() + ".");
  return writeFileAtomically(file.toStdString(), (suffix == QLatin1String("csv") ? csv : csvAsJson(csv)).toStdString());
}

} // namespace voxlab
