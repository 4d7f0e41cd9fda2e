// SPDX-License-Identifier: GPL-3.0-or-later
// Dresses the program: palette and style sheet of the light or the dark theme.
#pragma once
#include "widgets/plots/theme_colours.h"
#include <QString>

class QApplication;

namespace voxlab {

void applyFont(); // the system's, of at least ten points
// Sets style, palette and style sheet; may be called again while windows are open.
void applyTheme(QApplication& application, ThemeKind theme);

// resources/style.qss with its colours filled in and its icons written, tinted, into `iconFolder`.
QString styleSheetOf(const ThemeColours& colours, const QString& iconFolder);

} // namespace voxlab
