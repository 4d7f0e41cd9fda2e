// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour of the program, in one place: neutral greys, one accent, red for failure, amber for attention, and the
// colour-blind-safe set of Okabe & Ito (2008) for categories, which keep their colour on every page.
#pragma once
#include <QColor>
#include <QPalette>
#include <QString>

namespace voxlab {

enum class ThemeKind { Unknown, Light, Dark };

struct ThemeColours {
  ThemeKind kind = ThemeKind::Light;
  QColor window;       // behind everything
  QColor surface;      // cards, lists, fields
  QColor raised;       // hovered rows, headers
  QColor border;       // hairlines
  QColor strongBorder; // around what can be edited
  QColor text, muted, disabled;
  QColor accent, accentHover, onAccent; // action and selection; text upon it
  QColor accentSoft;                    // selected rows
  QColor danger, dangerSoft;            // failure, and only that
  QColor warning, warningSoft;          // attention
};

const ThemeColours& themeColours(ThemeKind kind);
// The set that belongs to a palette: told by how bright its window is.
const ThemeColours& themeColours(const QPalette& palette);
QPalette paletteOf(const ThemeColours& colours);

// Okabe–Ito without black, in an order whose neighbours differ well; repeats after seven.
QColor categoricalColour(int index, ThemeKind kind = ThemeKind::Light);
// A fixed colour for the names that recur: data, compute, host, forward, backward, optimiser, allocated, reserved, …, and for
// kernel categories, idle causes, modes, kinds of instructions and stall reasons by their names in exports;
// any other name gets one that stays the same wherever the name appears.
QColor namedColour(const QString& name, ThemeKind kind = ThemeKind::Light);

} // namespace voxlab
