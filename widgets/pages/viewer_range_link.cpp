// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_range_link.h"
#include "widgets/pages/viewer_document.h"
#include <algorithm>
#include <utility>

namespace voxlab {
namespace {
constexpr DisplayRange kValues{0, 1}; // a scale that leaves values as they are

DisplayRange fromCommon(const DisplayRange& range, const DisplayRange& scale) {
  const double width = scale.high - scale.low;
  return {scale.low + range.low * width, scale.low + range.high * width};
}
DisplayRange toCommon(const DisplayRange& range, const DisplayRange& scale) { return {scale.shareOf(range.low), scale.shareOf(range.high)}; }
} // namespace

ViewerRangeLink::ViewerRangeLink(ViewerDocument& document, QObject* parent) : QObject(parent), m_document(document) {
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerRangeLink::follow);
}

void ViewerRangeLink::link(const std::vector<int>& layers, const std::vector<DisplayRange>& scales) {
  const std::vector<Own> before = std::exchange(m_own, {});
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::uint64_t id = m_document.idOf(layers[i]);
    const auto known = std::find_if(before.begin(), before.end(), [&](const Own& own) { return own.layer == id; });
    m_own.push_back({id, known == before.end() ? m_document.layer(layers[i]).range : known->range, i < scales.size() ? scales[i] : kValues});
  }
  const bool isAnew = before.empty() || (!m_own.empty() && !(before.front().scale == m_own.front().scale));
  if (isAnew && !m_own.empty())
    m_range = scales.empty() ? m_document.layer(layers.front()).range : kValues;
  for (const Own& own : before)
    if (std::none_of(m_own.begin(), m_own.end(), [&](const Own& still) { return still.layer == own.layer; }))
      setRange(own, own.range);
  spread();
}

void ViewerRangeLink::release() {
  for (const Own& own : std::exchange(m_own, {}))
    setRange(own, own.range);
}

void ViewerRangeLink::setRange(const Own& own, const DisplayRange& range) {
  const int layer = m_document.layerWithId(own.layer);
  if (layer >= 0 && !(m_document.layer(layer).range == range))
    m_document.editLayer(layer, [&](SliceLayer& each) { each.range = range; });
}

void ViewerRangeLink::follow() {
  if (m_isSpreading)
    return;
  for (Own& own : m_own)
    if (const int layer = m_document.layerWithId(own.layer); layer >= 0 && !(m_document.layer(layer).range == fromCommon(m_range, own.scale))) {
      own.range = m_document.layer(layer).range;
      m_range = toCommon(own.range, own.scale);
      return spread();
    }
}

void ViewerRangeLink::spread() {
  m_isSpreading = true;
  for (const Own& own : m_own)
    setRange(own, fromCommon(m_range, own.scale));
  m_isSpreading = false;
}

} // namespace voxlab
