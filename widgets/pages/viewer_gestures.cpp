// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_gestures.h"
#include <QCoreApplication>

namespace voxlab {
namespace {
QString tr(const char* text) { return QCoreApplication::translate("ViewerGestures", text); }
} // namespace

QList<Command> viewerGestures() {
  const QString slices = tr("Mouse in a slice"), keys = tr("Keys in a slice"), in3d = tr("Mouse and keys in 3D"), panels = tr("Mouse in a panel");
  const auto gesture = [](const QString& group, const QString& does, const QString& how) { return Command{does, group, {}, how, nullptr}; };
  return {
      gesture(slices, tr("Next or previous slice"), tr("Wheel")),
      gesture(slices, tr("Cross-hair"), tr("Click")),
      gesture(slices, tr("Move the cross-hair"), tr("Shift+drag")),
      gesture(slices, tr("Window (across), level (up, down)"), tr("Drag")),
      gesture(slices, tr("Automatic range of a region"), tr("Ctrl+drag")),
      gesture(slices, tr("Paint, erase"), tr("Drag, with a tool")),
      gesture(slices, tr("Pan"), tr("Middle drag")),
      gesture(slices, tr("Zoom"), tr("Right drag")),
      gesture(slices, tr("Zoom at the pointer"), tr("Ctrl+wheel")),
      gesture(slices, tr("Move the swipe's edge"), tr("Drag the edge")),
      gesture(slices, tr("The view alone, and back"), tr("Double click")),
      gesture(slices, tr("Menu"), tr("Right click")),
      gesture(keys, tr("Next or previous slice"), tr("Arrows")),
      gesture(keys, tr("Ten slices on or back"), tr("Page up, Page down")),
      gesture(keys, tr("First or last slice"), tr("Home, End")),
      gesture(in3d, tr("Turn"), tr("Drag, arrows")),
      gesture(in3d, tr("Zoom"), tr("Wheel, right drag")),
      gesture(in3d, tr("Pan"), tr("Middle drag")),
      gesture(in3d, tr("Crop and cut"), tr("Drag a handle")),
      gesture(in3d, tr("Move the cut by small steps"), tr("Alt+up, Alt+down")),
      gesture(in3d, tr("The view alone, and back"), tr("Double click")),
      gesture(panels, tr("Range: an edge, or both"), tr("Drag in the histogram")),
      gesture(panels, tr("Curve: add, take away a point"), tr("Double, right click")),
      gesture(panels, tr("Go to a label's middle"), tr("Double click on it")),
      gesture(panels, tr("Lay files on top"), tr("Ctrl+drop")),
  };
}

} // namespace voxlab
