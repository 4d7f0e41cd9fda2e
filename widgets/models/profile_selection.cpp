// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/profile_selection.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kMostRemembered = 50;


bool same(const EventFilter& a, const EventFilter& b) {
  return a.time_ns == b.time_ns && a.categories == b.categories && a.module == b.module && a.operatorName == b.operatorName && a.withoutModule == b.withoutModule && a.withoutOperator == b.withoutOperator && a.text == b.text && a.phase == b.phase;
}
} // namespace

ProfileSelection::ProfileSelection(QObject* parent) : QObject(parent) {}

void ProfileSelection::take(State next, Part part) {
  if (same(next.filter, m_filter) && next.step == m_step)
    return;
  // Words are typed letter by letter: one step back takes them all.
  if (part != Part::Words || m_lastPart != Part::Words) {
    m_past.push_back(now());
    if (m_past.size() > kMostRemembered)
      m_past.erase(m_past.begin());
  }
  m_lastPart = part;
  m_filter = std::move(next.filter);
  m_step = next.step;
  emit changed();
}

void ProfileSelection::setTime(std::optional<std::pair<std::int64_t, std::int64_t>> time_ns) {
  State next = now();
  if (time_ns && time_ns->first > time_ns->second)
    std::swap(time_ns->first, time_ns->second);
  next.filter.time_ns = time_ns;
  next.step = 0;
  take(std::move(next), Part::Time);
}

void ProfileSelection::setStep(int number, std::int64_t start_ns, std::int64_t end_ns) {
  if (m_step == number)
    return setTime({});
  State next = now();
  next.filter.time_ns = {start_ns, end_ns}; // the next step's first kernel begins where this one ends, and is not in it
  next.step = number;
  take(std::move(next), Part::Time);
}

void ProfileSelection::chooseCategory(KernelCategory category, Adding adding) {
  State next = now();
  auto& chosen = next.filter.categories;
  const bool wasChosen = chosen.contains(category);
  if (adding == Adding::AsWell) {
    if (wasChosen)
      chosen.erase(category);
    else
      chosen.insert(category);
  } else {
    const bool wasAlone = wasChosen && chosen.size() == 1;
    chosen.clear();
    if (!wasAlone)
      chosen.insert(category);
  }
  take(std::move(next), Part::Categories);
}

void ProfileSelection::setModule(const QString& path) {
  State next = now();
  std::string module = path.toStdString();
  if (!module.empty() && module == m_filter.module) {
    const auto dot = module.rfind('.');
    module = dot == std::string::npos ? "" : module.substr(0, dot);
  }
  next.filter.module = module;
  next.filter.withoutModule = false;
  take(std::move(next), Part::Module);
}

void ProfileSelection::setWithoutModule() {
  State next = now();
  next.filter.module.clear();
  next.filter.withoutModule = !m_filter.withoutModule;
  take(std::move(next), Part::Module);
}

void ProfileSelection::setOperator(Phase phase, const QString& name) {
  State next = now();
  next.filter.phase = phase == Phase::Unknown ? std::nullopt : std::optional(phase);
  next.filter.operatorName = name.toStdString();
  next.filter.withoutOperator = false;
  if (same(next.filter, m_filter)) { // the same again
    next.filter.operatorName.clear();
    if (name.isEmpty())
      next.filter.phase.reset();
  }
  take(std::move(next), Part::Operator);
}

void ProfileSelection::setWithoutOperator(Phase phase) {
  State next = now();
  next.filter.phase = phase == Phase::Unknown ? std::nullopt : std::optional(phase);
  next.filter.operatorName.clear();
  next.filter.withoutOperator = true;
  if (same(next.filter, m_filter)) // the same again
    next.filter.withoutOperator = false;
  take(std::move(next), Part::Operator);
}

void ProfileSelection::setWords(const QString& words) {
  State next = now();
  next.filter.text = words.trimmed().toStdString();
  take(std::move(next), Part::Words);
}

void ProfileSelection::clear(Part part) {
  State next = now();
  switch (part) {
  case Part::Time:
    next.filter.time_ns.reset();
    next.step = 0;
    break;
  case Part::Categories: next.filter.categories.clear(); break;
  case Part::Module:
    next.filter.module.clear();
    next.filter.withoutModule = false;
    break;
  case Part::Operator:
    next.filter.operatorName.clear();
    next.filter.withoutOperator = false;
    next.filter.phase.reset();
    break;
  case Part::Words: next.filter.text.clear(); break;
  case Part::None: break;
  }
  take(std::move(next), part);
}

void ProfileSelection::clear() { take({}, Part::None); }

void ProfileSelection::reset() {
  m_past.clear();
  m_filter = {};
  m_step = 0;
  m_lastPart = Part::None;
  emit changed();
}

void ProfileSelection::goBack() {
  if (m_past.empty())
    return;
  const State before = std::move(m_past.back());
  m_past.pop_back();
  m_filter = before.filter;
  m_step = before.step;
  m_lastPart = Part::None;
  emit changed();
}

std::vector<ProfileSelection::Chip> ProfileSelection::chips() const {
  std::vector<Chip> chips;
  if (m_filter.time_ns) {
    const double start_s = static_cast<double>(m_filter.time_ns->first) / 1e9, length_s = static_cast<double>(m_filter.time_ns->second - m_filter.time_ns->first) / 1e9;
    const QString length = QString::fromStdString(formatQuantity(length_s, "s"));
    chips.push_back({Part::Time, m_step ? tr("Step %1 · %2").arg(m_step).arg(length) : tr("%1 from %2").arg(length, QString::fromStdString(formatQuantity(std::max(0.0, start_s), "s")))});
  }
  if (!m_filter.categories.empty()) {
    QString named = text(categoryTitle(*m_filter.categories.begin()));
    if (m_filter.categories.size() > 1)
      named = tr("%1 + %2 more").arg(named).arg(m_filter.categories.size() - 1);
    chips.push_back({Part::Categories, named});
  }
  if (!m_filter.module.empty() || m_filter.withoutModule)
    chips.push_back({Part::Module, m_filter.withoutModule ? tr("no module") : text(m_filter.module)});
  if (m_filter.phase || !m_filter.operatorName.empty() || m_filter.withoutOperator) {
    QStringList words;
    if (m_filter.phase)
      words << text(phaseName(*m_filter.phase));
    if (!m_filter.operatorName.empty())
      words << text(m_filter.operatorName);
    else if (m_filter.withoutOperator)
      words << tr("no operator");
    chips.push_back({Part::Operator, words.join(QStringLiteral(" · "))});
  }
  if (!m_filter.text.empty())
    chips.push_back({Part::Words, tr("“%1”").arg(QString::fromStdString(m_filter.text))});
  return chips;
}

} // namespace voxlab
