// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for things of which several may want the same.
#pragma once
#include <QStringList>

namespace voxlab {

// For each name one that namedColour() gives another colour than all the others, as long as there are enough: names that have a colour of
// their own keep it, the first of several alike before the others.
QStringList distinctColours(const QStringList& names);

} // namespace voxlab
