// SPDX-License-Identifier: GPL-3.0-or-later
// Which image layers of a document are compared, and which of them is the reference. Layers are known by their ids, so that the
// choice stays when layers are moved, added, closed or get other voxels.
#pragma once
#include <cstdint>
#include <vector>

namespace voxlab {

class ViewerDocument;

class ViewerCompareChoice {
public:
  explicit ViewerCompareChoice(const ViewerDocument& document) : m_document(document) {}

  // Anew: the images in sight, or all where less than two are; at most kMostCompared. The reference stays if it is among them.
  void begin();
  // What was closed is out of it; what was opened takes part where all images did.
  void refresh();

  // Layer indices; −1 where there is none.
  std::vector<int> images() const;
  std::vector<int> members() const; // the reference first, then as the layers lie
  int first() const;                // the reference
  int second() const;               // that stands beside it where two are shown, and whose figures are shown
  bool takesPart(int layer) const;
  bool isFull() const; // no more can take part

  void setFirst(int layer);  // one that takes no part yet replaces the reference
  void setSecond(int layer); // likewise
  void swap();
  void add(int layer);    // nothing while it is full
  void remove(int layer); // nothing while there are two

private:
  using Id = std::uint64_t;
  void settle(); // the reference and the second are two of the members

  const ViewerDocument& m_document;
  std::vector<Id> m_members, m_known; // known: images that were there at the last look
  Id m_first = 0, m_second = 0;
};

} // namespace voxlab
