// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_choice.h"
#include "widgets/pages/viewer_compare_arrangement.h"
#include "widgets/pages/viewer_document.h"
#include <algorithm>

namespace voxlab {
namespace {
using Key = std::weak_ptr<const Volume>;

bool isSame(const Key& a, const Key& b) { return !a.owner_before(b) && !b.owner_before(a); }
auto whichIs(const Key& key) {
  return [&key](const Key& each) { return isSame(each, key); };
}
bool contains(const std::vector<Key>& keys, const Key& key) { return std::any_of(keys.begin(), keys.end(), whichIs(key)); }
void replace(std::vector<Key>& keys, const Key& old, const Key& by) { std::replace_if(keys.begin(), keys.end(), whichIs(old), by); }
} // namespace

ViewerCompareChoice::Key ViewerCompareChoice::keyOf(int layer) const { return m_document.source(layer).volume; }
int ViewerCompareChoice::layerOf(const Key& key) const { return m_document.layerOf(key.lock()); }

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
    m_known.push_back(keyOf(layer));
  const auto isHidden = [this](int layer) { return m_document.layer(layer).visibility == Visibility::Hidden; };
  if (taken.size() - static_cast<std::size_t>(std::count_if(taken.begin(), taken.end(), isHidden)) >= 2)
    std::erase_if(taken, isHidden);
  m_members.clear();
  for (const int layer : taken)
    if (!isFull())
      m_members.push_back(keyOf(layer));
  settle();
}

void ViewerCompareChoice::refresh() {
  const bool tookAll = m_members.size() == m_known.size();
  std::erase_if(m_members, [this](const Key& key) {
    const int layer = layerOf(key);
    return layer < 0 || m_document.layer(layer).kind != LayerKind::Image;
  });
  std::vector<Key> there;
  for (const int layer : images()) {
    there.push_back(keyOf(layer));
    const bool isNew = !contains(m_known, there.back());
    if (((isNew && tookAll) || m_members.size() < 2) && !contains(m_members, there.back()) && !isFull())
      m_members.push_back(there.back());
  }
  m_known = std::move(there);
  settle();
}

void ViewerCompareChoice::settle() {
  std::sort(m_members.begin(), m_members.end(), [this](const Key& a, const Key& b) { return layerOf(a) < layerOf(b); });
  if (!contains(m_members, m_first))
    m_first = m_members.empty() ? Key() : m_members.front();
  if (!contains(m_members, m_second) || isSame(m_second, m_first)) {
    const auto other = std::find_if(m_members.begin(), m_members.end(), [this](const Key& key) { return !isSame(key, m_first); });
    m_second = other == m_members.end() ? Key() : *other;
  }
}

int ViewerCompareChoice::first() const { return layerOf(m_first); }
int ViewerCompareChoice::second() const { return layerOf(m_second); }
bool ViewerCompareChoice::takesPart(int layer) const { return contains(m_members, keyOf(layer)); }
bool ViewerCompareChoice::isFull() const { return m_members.size() >= static_cast<std::size_t>(kMostCompared); }

std::vector<int> ViewerCompareChoice::members() const {
  std::vector<int> layers;
  for (const Key& key : m_members)
    if (const int layer = layerOf(key); layer >= 0)
      layers.push_back(layer);
  std::sort(layers.begin(), layers.end());
  std::stable_partition(layers.begin(), layers.end(), [this](int layer) { return layer == first(); });
  return layers;
}

void ViewerCompareChoice::setFirst(int layer) {
  const Key key = keyOf(layer);
  if (isSame(key, m_second))
    return swap();
  if (!contains(m_members, key))
    replace(m_members, m_first, key);
  m_first = key;
  settle();
}

void ViewerCompareChoice::setSecond(int layer) {
  const Key key = keyOf(layer);
  if (isSame(key, m_first))
    return swap();
  if (!contains(m_members, key))
    replace(m_members, m_second, key);
  m_second = key;
  settle();
}

void ViewerCompareChoice::swap() {
  if (second() >= 0)
    std::swap(m_first, m_second);
}

void ViewerCompareChoice::add(int layer) {
  if (isFull() || takesPart(layer))
    return;
  m_members.push_back(keyOf(layer));
  settle();
}

void ViewerCompareChoice::remove(int layer) {
  if (m_members.size() <= 2)
    return;
  std::erase_if(m_members, whichIs(keyOf(layer)));
  settle();
}

} // namespace voxlab
