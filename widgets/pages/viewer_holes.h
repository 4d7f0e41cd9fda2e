// SPDX-License-Identifier: GPL-3.0-or-later
// How many voxels are NaN or infinite in what is shown, at each time point: the first is counted when a file is read, the others
// beside the window when they are shown.
#pragma once
#include "widgets/pages/newest_work.h"
#include <map>
#include <memory>
#include <optional>

namespace voxlab {

struct Volume;
struct ViewerVolume;
class ViewerDocument;

class ViewerHoles : public QObject {
  Q_OBJECT
public:
  explicit ViewerHoles(ViewerDocument& document, QObject* parent = nullptr);
  // At the time point that the document shows, in words; empty where there are none, or they are not counted yet.
  QString textOf(const ViewerVolume& source) const;

signals:
  void counted(); // something is known that was not before, or another time point is shown

private:
  using Counts = std::map<std::int64_t, std::int64_t>; // by time point
  void take();
  std::int64_t shownTimePoint(const ViewerVolume& source) const;
  std::optional<std::int64_t> countOf(const ViewerVolume& source) const;

  ViewerDocument& m_document;
  std::map<std::weak_ptr<const Volume>, Counts, std::owner_less<>> m_counts;
  std::int64_t m_timePoint = 0;
  NewestWork m_counter;
};

} // namespace voxlab
