// SPDX-License-Identifier: GPL-3.0-or-later
// A plot's or table's numbers as files: CSV, and the same as JSON.
#pragma once
#include "core/base/result.h"
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace voxlab {

QString csvRow(const QStringList& fields); // quoted where it has to be, with the line end
// One object a row, named by the first row; what reads as a number becomes one, an empty field null: unknown is not zero.
QString csvAsJson(const QString& csv);
// Told by the suffix: .csv or .json. Fails with Usage on another, with Data when the file cannot be written.
Status writeTable(const QString& csv, const QString& file);

// A table that may be too long for memory: calls `take` for each row, that of the names first, with how much of the table has been given
// (0…1), until it says No. It holds what it needs and may run on any thread.
enum class More { No, Yes };
using TakeRow = std::function<More(const std::vector<std::string>& row, double share)>;
using TableSource = std::function<void(const TakeRow& take)>;
// The same files as above, row by row. Fails with Stopped when stopped, and leaves the old file then. `progress`: 0…1, on the same thread.
Status writeTable(const TableSource& table, const QString& file, const std::function<void(double)>& progress = {}, std::stop_token stop = {});
TableSource tableFromCsv(const QString& csv);
// All of it as CSV, if it has no more rows than that; nullopt: it has more, or was stopped.
std::optional<QString> csvFrom(const TableSource& table, std::size_t mostRows, std::stop_token stop = {});

} // namespace voxlab
