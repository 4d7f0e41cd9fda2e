// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_choice.h"
#include "widgets/pages/viewer_compare_arrangement.h"
#include "widgets/pages/viewer_document.h"
#include <algorithm>

namespace voxlab {
namespace {
bool contains(const std::vector<std::uint64_t>& ids, std::uint64_t id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
} // namespace

std::vector<int> ViewerCompareChoice::images() const {
  std::vector<int> layers;
  for (int i = 0; i < m_document.layerCount(); ++i)
    if (m_document.layer(i).kind == LayerKind::Image)
      layers.push_back(i);
  return layers;
}

void ViewerCompareChoice::begin() {
  std::vector<int> taken = images();
  m_known.clear();
  for (const int layer : taken)
    m_known.push_back(m_document.idOf(layer));
  const auto isHidden = [this](int layer) { return m_document.layer(layer).visibility == Visibility::Hidden; };
  if (taken.size() - static_cast<std::size_t>(std::count_if(taken.begin(), taken.end(), isHidden)) >= 2)
    std::erase_if(taken, isHidden);
  m_members.clear();
  for (const int layer : taken)
    if (!isFull())
      m_members.push_back(m_document.idOf(layer));
  settle();
}

void ViewerCompareChoice::refresh() {
  const bool tookAll = m_members.size() == m_known.size();
  std::erase_if(m_members, [this](Id id) {
    const int layer = m_document.layerWithId(id);
    return layer < 0 || m_document.layer(layer).kind != LayerKind::Image;
  });
  std::vector<Id> there;
  for (const int layer : images()) {
    there.push_back(m_document.idOf(layer));
    const bool isNew = !contains(m_known, there.back());
    if (((isNew && tookAll) || m_members.size() < 2) && !contains(m_members, there.back()) && !isFull())
      m_members.push_back(there.back());
  }
  m_known = std::move(there);
  settle();
}

void ViewerCompareChoice::settle() {
  std::sort(m_members.begin(), m_members.end(), [this](Id a, Id b) { return m_document.layerWithId(a) < m_document.layerWithId(b); });
  if (!contains(m_members, m_first))
    m_first = m_members.empty() ? 0 : m_members.front();
  if (!contains(m_members, m_second) || m_second == m_first) {
    const auto other = std::find_if(m_members.begin(), m_members.end(), [this](Id id) { return id != m_first; });
    m_second = other == m_members.end() ? 0 : *other;
  }
}

int ViewerCompareChoice::first() const { return m_document.layerWithId(m_first); }
int ViewerCompareChoice::second() const { return m_document.layerWithId(m_second); }
bool ViewerCompareChoice::takesPart(int layer) const { return contains(m_members, m_document.idOf(layer)); }
bool ViewerCompareChoice::isFull() const { return m_members.size() >= static_cast<std::size_t>(kMostCompared); }

std::vector<int> ViewerCompareChoice::members() const {
  std::vector<int> layers;
  for (Id id : m_members)
    if (const int layer = m_document.layerWithId(id); layer >= 0)
      layers.push_back(layer);
  std::sort(layers.begin(), layers.end());
  std::stable_partition(layers.begin(), layers.end(), [this](int layer) { return layer == first(); });
  return layers;
}

void ViewerCompareChoice::setFirst(int layer) {
  const Id id = m_document.idOf(layer);
  if (id == m_second)
    return swap();
  if (!contains(m_members, id))
    std::replace(m_members.begin(), m_members.end(), m_first, id);
  m_first = id;
  settle();
}

void ViewerCompareChoice::setSecond(int layer) {
  const Id id = m_document.idOf(layer);
  if (id == m_first)
    return swap();
  if (!contains(m_members, id))
    std::replace(m_members.begin(), m_members.end(), m_second, id);
  m_second = id;
  settle();
}

void ViewerCompareChoice::swap() {
  if (second() >= 0)
    std::swap(m_first, m_second);
}

void ViewerCompareChoice::add(int layer) {
  if (isFull() || takesPart(layer))
    return;
  m_members.push_back(m_document.idOf(layer));
  settle();
}

void ViewerCompareChoice::remove(int layer) {
  if (m_members.size() <= 2)
    return;
  std::erase(m_members, m_document.idOf(layer));
  settle();
}

} // namespace voxlab
