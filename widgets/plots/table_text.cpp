// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/table_text.h"
#include "core/base/csv.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include <QFileInfo>
#include <QObject>
#include <QSaveFile>
#include <utility>

namespace voxlab {
namespace {
Json valueOf(const std::string& field) {
  if (field.empty())
    return nullptr;
  bool isNumber = false;
  const double number = QString::fromStdString(field).toDouble(&isNumber);
  return isNumber ? Json(number) : Json(field);
}

bool isTable(const QString& suffix) { return suffix == QLatin1String("csv") || suffix == QLatin1String("json"); }

tl::unexpected<Error> noTable(const QString& suffix) { return fail(ExitCode::Usage, "Tables are saved as .csv or .json, not as ." + suffix.toStdString() + "."); }

// An array of objects, a row at a time, as Json::dump(2) sets it.
class JsonRows {
public:
  std::string add(const std::vector<std::string>& row) {
    if (m_names.empty()) {
      m_names = row;
      return {};
    }
    Json object = Json::object();
    for (std::size_t i = 0; i < m_names.size(); ++i)
      object[m_names[i]] = i < row.size() ? valueOf(row[i]) : Json();
    std::string lines = object.dump(2);
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1))
      lines.insert(at + 1, "  ");
    return (std::exchange(m_isFirst, false) ? "[\n  " : ",\n  ") + lines;
  }
  std::string end() const { return m_isFirst ? "[]\n" : "\n]\n"; }

private:
  std::vector<std::string> m_names;
  bool m_isFirst = true;
};

constexpr std::size_t kPiece_bytes = 1 << 20;

tl::unexpected<Error> notWritten(const QString& file) {
  return fail(ExitCode::Data, QObject::tr("%1 could not be written. Choose a folder that you may write to.").arg(file).toStdString());
}
} // namespace

QString csvRow(const QStringList& fields) {
  std::vector<std::string> line;
  for (const QString& field : fields)
    line.push_back(field.toStdString());
  return QString::fromStdString(csvLine(line));
}

QString csvAsJson(const QString& csv) {
  JsonRows rows;
  std::string json;
  tableFromCsv(csv)([&](const std::vector<std::string>& row, double) {
    json += rows.add(row);
    return More::Yes;
  });
  return QString::fromStdString(json + rows.end());
}

Status writeTable(const QString& csv, const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (!isTable(suffix))
    return noTable(suffix);
  return writeFileAtomically(file.toStdString(), (suffix == QLatin1String("csv") ? csv : csvAsJson(csv)).toStdString());
}

Status writeTable(const TableSource& table, const QString& file, const std::function<void(double)>& progress, std::stop_token stop) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (!isTable(suffix))
    return noTable(suffix);
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly))
    return notWritten(file);
  JsonRows rows;
  std::string piece;
  const auto flush = [&] {
    const std::string bytes = std::exchange(piece, {});
    return out.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size()) ? More::Yes : More::No;
  };
  More more = More::Yes;
  table([&](const std::vector<std::string>& row, double share) {
    piece += suffix == QLatin1String("csv") ? csvLine(row) : rows.add(row);
    if (piece.size() < kPiece_bytes && !stop.stop_requested())
      return More::Yes;
    more = stop.stop_requested() ? More::No : flush();
    if (progress)
      progress(share);
    return more;
  });
  if (stop.stop_requested())
    return fail(ExitCode::Stopped, QObject::tr("%1 was not written: that was cancelled.").arg(file).toStdString());
  if (suffix == QLatin1String("json"))
    piece += rows.end();
  if (more == More::No || flush() == More::No || !out.commit())
    return notWritten(file);
  return {};
}

TableSource tableFromCsv(const QString& csv) {
  return [text = csv.toStdString()](const TakeRow& take) {
    const auto source = byteSourceFromText(text, "table");
    CsvReader reader(*source);
    std::vector<std::string> row;
    for (auto more = reader.next(row); more && *more; more = reader.next(row))
      if (take(row, source->fractionRead()) == More::No)
        return;
  };
}

std::optional<QString> csvFrom(const TableSource& table, std::size_t mostRows, std::stop_token stop) {
  std::string csv;
  std::size_t rows = 0;
  bool isWhole = true;
  table([&](const std::vector<std::string>& row, double) {
    isWhole = rows++ <= mostRows && !stop.stop_requested(); // and the names
    if (isWhole)
      csv += csvLine(row);
    return isWhole ? More::Yes : More::No;
  });
  return isWhole ? std::optional(QString::fromStdString(csv)) : std::nullopt;
}

} // namespace voxlab
