// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of the compare page is in front, and what is said where that is not there.
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_counters.h"
#include "widgets/pages/compare_differences.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_planning.h"
#include "widgets/pages/compare_triptych.h"
#include "widgets/pages/page_parts.h"
#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>

namespace voxlab {

void ComparePage::bringToFront(const QString& part) {
  const auto index = QStringList{QStringLiteral("training"), QStringLiteral("sampling"), QStringLiteral("volumes")}.indexOf(part);
  if (index >= 0) {
    if (m_set.empty() || m_parts->isTabEnabled(static_cast<int>(index)))
      m_parts->setCurrentIndex(static_cast<int>(index));
    m_wantedPart = static_cast<int>(index);
    m_partAsked = true;
  } else
    m_wanted = part;
  scrollToWanted();
  showLack();
}

QWidget* ComparePage::placeNamed(const QString& name) const {
  const std::pair<const char*, QWidget*> places[] = {{"counters", m_counters}, {"in-use", m_planning}, {"equal-seeds", m_triptych}, {"why", m_differences}, {"charts", m_charts}};
  for (const auto& [known, place] : places)
    if (name == QLatin1String(known))
      return place;
  return nullptr;
}

void ComparePage::scrollToWanted() {
  if (const QWidget* place = placeNamed(m_wanted); place && !place->isHidden())
    m_scroll->verticalScrollBar()->setValue(place->y() - kSpace);
}

QString ComparePage::lackOf(Part part) const {
  return part == Part::Training   ? tr("None of these runs timed or profiled training steps.")
         : part == Part::Sampling ? tr("None of these runs timed or profiled sampling steps.")
                                  : tr("None of these runs drew volumes or judged their quality.");
}

// Somebody asked for what is not there: they are told, rather than shown something else without a word.
void ComparePage::showLack() {
  QString words;
  const Part asked = m_wantedPart == 1 ? Part::Sampling : m_wantedPart == 2 ? Part::Volumes : Part::Training;
  if (m_partAsked && !m_set.empty() && !m_loading && sidesOf(asked).empty())
    words = tr("%1 What they have is shown instead: %2.").arg(lackOf(asked), part() == Part::Volumes ? tr("volumes") : part() == Part::Sampling ? tr("the sampling step") : tr("the training step"));
  else if (const QWidget* place = placeNamed(m_wanted); place && place->isHidden() && !m_set.empty() && !m_loading)
    words = place == m_differences  ? tr("Nothing here says why a mode is faster: that takes profiles of it and of the baseline, of one kind of step.")
            : place == m_triptych   ? lackOf(Part::Volumes)
            : place == m_counters   ? tr("Counters belong to the steps of training and sampling, not to volumes.")
                                    : tr("None of these runs timed a step, from which time and cost in use would follow.");
  m_lack->setText(words);
  m_lack->setVisible(!words.isEmpty());
}

bool ComparePage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_scroll->widget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
    QMetaObject::invokeMethod(this, &ComparePage::scrollToWanted, Qt::QueuedConnection);
  else if (watched == m_scroll->viewport() && event->type() == QEvent::Wheel)
    m_wanted.clear(); // the user goes where they want
  return QWidget::eventFilter(watched, event);
}

} // namespace voxlab
