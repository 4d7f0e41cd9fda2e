// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_holes.h"
#include "widgets/pages/viewer_document.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

ViewerHoles::ViewerHoles(ViewerDocument& document, QObject* parent) : QObject(parent), m_document(document) {
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerHoles::take);
  connect(&document, &ViewerDocument::appearanceChanged, this, [this] { // its time point, too
    if (m_document.timePoint() != m_timePoint)
      take();
  });
}

std::int64_t ViewerHoles::shownTimePoint(const ViewerVolume& source) const { return std::min(m_document.timePoint(), source.timePoints() - 1); }

std::optional<std::int64_t> ViewerHoles::countOf(const ViewerVolume& source) const {
  const std::int64_t timePoint = shownTimePoint(source);
  if (timePoint == 0)
    return source.summary.otherCount;
  const auto counts = m_counts.find(source.volume);
  if (counts == m_counts.end() || !counts->second.contains(timePoint))
    return std::nullopt;
  return counts->second.at(timePoint);
}

QString ViewerHoles::textOf(const ViewerVolume& source) const {
  const QString text = QString::fromStdString(notNumbersText(countOf(source).value_or(0)));
  return text.isEmpty() || source.timePoints() < 2 ? text : tr("Time point %1: %2").arg(shownTimePoint(source) + 1).arg(text);
}

void ViewerHoles::take() {
  m_timePoint = m_document.timePoint();
  std::erase_if(m_counts, [](const auto& each) { return each.first.expired(); });
  std::vector<std::pair<std::shared_ptr<const Volume>, std::int64_t>> unknown;
  for (int layer = 0; layer < m_document.layerCount(); ++layer)
    if (const ViewerVolume& source = m_document.source(layer); !countOf(source))
      unknown.emplace_back(source.volume, shownTimePoint(source));
  emit counted();
  if (unknown.empty())
    return m_counter.cancel();
  m_counter.start([this, unknown = std::move(unknown)](std::stop_token stop, const auto&) -> NewestWork::Report {
    std::vector<std::int64_t> found;
    for (const auto& [volume, timePoint] : unknown) {
      if (stop.stop_requested())
        return {};
      const auto voxels = timePointOf(*volume, timePoint);
      found.push_back(std::count_if(voxels.begin(), voxels.end(), [](float value) { return !std::isfinite(value); }));
    }
    return [this, unknown, found] {
      for (std::size_t i = 0; i < unknown.size(); ++i)
        m_counts[unknown[i].first][unknown[i].second] = found[i];
      emit counted();
    };
  });
}

} // namespace voxlab
