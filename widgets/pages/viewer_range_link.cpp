// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_range_link.h"
#include "widgets/pages/viewer_document.h"
#include <algorithm>
#include <utility>

namespace voxlab {

ViewerRangeLink::ViewerRangeLink(ViewerDocument& document, QObject* parent) : QObject(parent), m_document(document) {
  connect(&document, &ViewerDocument::appearanceChanged, this, &ViewerRangeLink::follow);
}

void ViewerRangeLink::link(const std::vector<int>& layers) {
  const std::vector<Own> before = std::exchange(m_own, {});
  if (before.empty() && !layers.empty())
    m_range = m_document.layer(layers.front()).range;
  for (const int layer : layers) {
    const std::uint64_t id = m_document.idOf(layer);
    const auto known = std::find_if(before.begin(), before.end(), [&](const Own& own) { return own.layer == id; });
    m_own.push_back({id, known == before.end() ? m_document.layer(layer).range : known->range});
  }
  for (const Own& own : before)
    if (std::none_of(m_own.begin(), m_own.end(), [&](const Own& still) { return still.layer == own.layer; }))
      giveBack(own);
  spread();
}

void ViewerRangeLink::release() {
  for (const Own& own : std::exchange(m_own, {}))
    giveBack(own);
}

void ViewerRangeLink::giveBack(const Own& own) {
  const int layer = m_document.layerWithId(own.layer);
  if (layer >= 0 && !(m_document.layer(layer).range == own.range))
    m_document.editLayer(layer, [&](SliceLayer& each) { each.range = own.range; });
}

void ViewerRangeLink::follow() {
  if (m_isSpreading)
    return;
  for (Own& own : m_own)
    if (const int layer = m_document.layerWithId(own.layer); layer >= 0 && !(m_document.layer(layer).range == m_range)) {
      m_range = own.range = m_document.layer(layer).range;
      return spread();
    }
}

void ViewerRangeLink::spread() {
  m_isSpreading = true;
  for (const Own& own : m_own)
    giveBack({own.layer, m_range});
  m_isSpreading = false;
}

} // namespace voxlab
