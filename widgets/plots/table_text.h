// SPDX-License-Identifier: GPL-3.0-or-later
// A plot's or table's numbers as files: CSV, and the same as JSON.
#pragma once
#include "core/base/result.h"
#include <QString>
#include <QStringList>

namespace voxlab {

QString csvRow(const QStringList& fields); // quoted where it has to be, with the line end
// One object a row, named by the first row; what reads as a number becomes one, an empty field null: unknown is not zero.
QString csvAsJson(const QString& csv);
// Told by the suffix: .csv or .json. Fails with Usage on another, with Data when the file cannot be written.
Status writeTable(const QString& csv, const QString& file);

} // namespace voxlab
