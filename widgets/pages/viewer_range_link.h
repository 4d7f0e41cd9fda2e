// SPDX-License-Identifier: GPL-3.0-or-later
// One display range for several layers: whichever is changed, the others follow. Each gets its own back afterwards; that of the layer
// that was changed itself stays as it is. Layers on unlike scales share a range in parts of each one's own scale.
#pragma once
#include "core/imaging/display_range.h"
#include <QObject>
#include <cstdint>
#include <vector>

namespace voxlab {

class ViewerDocument;

class ViewerRangeLink : public QObject {
  Q_OBJECT
public:
  explicit ViewerRangeLink(ViewerDocument& document, QObject* parent = nullptr);
  // Anew: the first one's range; else the one that they share already. scales: as layers, what is 0 and 1 of each; empty: its values.
  void link(const std::vector<int>& layers, const std::vector<DisplayRange>& scales = {});
  void release();

private:
  struct Own {
    std::uint64_t layer = 0; // its id
    DisplayRange range;
    DisplayRange scale;
  };
  void follow();
  void setRange(const Own& own, const DisplayRange& range);
  void spread(); // the range to all

  ViewerDocument& m_document;
  std::vector<Own> m_own;
  DisplayRange m_range; // on the common scale
  bool m_isSpreading = false;
};

} // namespace voxlab
