// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_colours.h"
#include <QCoreApplication>

namespace voxlab {

QColor axisColour(SliceAxis axis) {
  switch (axis) {
  case SliceAxis::Coronal: return QColor(0x4f, 0xc9, 0x9a);
  case SliceAxis::Sagittal: return QColor(0xe6, 0x9f, 0x00);
  default: return QColor(0x6d, 0xb9, 0xf0);
  }
}

QString axisName(SliceAxis axis) {
  switch (axis) {
  case SliceAxis::Coronal: return QCoreApplication::translate("Viewer", "Coronal");
  case SliceAxis::Sagittal: return QCoreApplication::translate("Viewer", "Sagittal");
  default: return QCoreApplication::translate("Viewer", "Axial");
  }
}

} // namespace voxlab
