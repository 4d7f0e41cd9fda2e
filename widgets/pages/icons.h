// SPDX-License-Identifier: GPL-3.0-or-later
// The program's icons: SVG line drawings of resources/icons, tinted by the palette each time they are drawn, so that they
// follow the theme and the widget's state.
#pragma once
#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace voxlab {

enum class IconTint { Text, Muted, Accent, OnAccent, Danger, Warning };

// `name` is the file's name without .svg; an unknown name gives an empty icon. Switched-on buttons show the accent.
QIcon themedIcon(const QString& name, IconTint tint = IconTint::Text);
// One drawing in a given colour, for painters of their own; `size` in device-independent pixels.
QPixmap tintedPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio = 1);
// The SVG text with its colour filled in; empty when there is none of that name.
QByteArray tintedSvg(const QString& name, const QColor& colour);

} // namespace voxlab
