// SPDX-License-Identifier: GPL-3.0-or-later
// One display range for several layers: whichever is changed, the others follow. Each gets its own back afterwards; that of the layer
// that was changed itself stays as it is.
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
  void link(const std::vector<int>& layers); // anew: the first one's range; else the one that they share already
  void release();

private:
  struct Own {
    std::uint64_t layer = 0; // its id
    DisplayRange range;
  };
  void follow();
  void giveBack(const Own& own);
  void spread(); // the range to all

  ViewerDocument& m_document;
  std::vector<Own> m_own;
  DisplayRange m_range;
  bool m_isSpreading = false;
};

} // namespace voxlab
