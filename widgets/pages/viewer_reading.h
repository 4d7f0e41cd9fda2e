// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under the pointer, in words: the place, every volume's own value there, the labels.
#pragma once
#include "rendering/space.h"
#include "widgets/pages/viewer_compare_caption.h"
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

namespace voxlab {

class ViewerDocument;

// Empty texts where there is nothing to say.
struct ViewerReading {
  QString position; // "x −12.0  y 8.5  z 30.0 mm"
  QString voxel;    // "voxel 12, 40, 7" where all volumes that are read lie on one grid
  // Each volume that is read; the name is empty of a single one, the voxel where all lie on one grid.
  struct Value {
    QString name, value, voxel;
  };
  std::vector<Value> values;
  QString difference; // "difference −22"
  // All values in words: "812" of a single volume. Of several, each by its name, with its own voxel where the grids differ and "outside" where its grid
  // ends: "real 812 · synthetic 790". A difference puts first what the other is subtracted from, as its colours do:
  // "synthetic 790 · real 812 · difference −22".
  QString value;
  QString label; // "hippocampus (17)"; of several label volumes each by its name
  QString text() const; // all of it in a line
  // The same where the line has `room`, as `width` measures: names become shorter, the voxels of other grids are left out, and only
  // then volumes, the last ones first, which "+2 more" counts.
  QString fitted(const std::function<int(const QString&)>& width, int room) const;
  QString table() const; // for the clipboard: rows of name, value and voxel, parted by tabs
};

// `pointed` is the layer that the view under the pointer shows alone. Read are the two volumes of a comparison (of several differences
// those of the one pointed at), else that layer (else the one that the panels speak of) and the other images in sight. Values are those of the nearest voxel, never interpolated.
ViewerReading readingAt(const ViewerDocument& document, Vec3d world, std::optional<int> pointed = std::nullopt);

// The value of every layer there, hidden ones too, for a list of them: a label's name, "outside" beyond the grid.
QStringList valuesOfLayers(const ViewerDocument& document, Vec3d world);

// Names that fit into a line and still tell the layers apart: titles, or how samples of one mask were made.
QStringList shortNames(const ViewerDocument& document, const std::vector<int>& layers);
// The layers that are compared, the reference first; those of the pair where no more are told.
std::vector<int> comparedLayers(const ViewerDocument& document);
// A layer's title and, of one that is compared, what it has that the others' lack, such as the mode; its number where another has the
// same title.
LayerName layerName(const ViewerDocument& document, int layer);

} // namespace voxlab
