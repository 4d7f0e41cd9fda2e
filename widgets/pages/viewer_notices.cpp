// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_notices.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kMostNotices = 50; // the oldest go
constexpr int kLeastText_px = 80; // long names must not widen the window
constexpr qsizetype kMostLines = 8;      // of the expanded list: it must not push the views out
} // namespace

ViewerNotices::ViewerNotices(QWidget* parent) : QWidget(parent) {
  m_text = makeWrappedLabel({}, "problem", this);
  QSizePolicy policy = m_text->sizePolicy();
  policy.setHorizontalPolicy(QSizePolicy::Ignored);
  m_text->setSizePolicy(policy);
  m_text->setMinimumWidth(kLeastText_px);
  m_more = makeToolButton(QStringLiteral("chevron-down"), tr("Show all of them"), this);
  m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("Dismiss"), this);
  connect(close, &QToolButton::clicked, this, &ViewerNotices::dismiss);
  connect(m_more, &QToolButton::clicked, this, [this] {
    m_isExpanded = !m_isExpanded;
    redraw();
  });
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kSpace, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_more, 0, Qt::AlignTop);
  layout->addWidget(close, 0, Qt::AlignTop);
  redraw();
}

void ViewerNotices::add(const QString& sentence) {
  std::erase_if(m_notices, [&](const Notice& each) { return !each.about && each.sentence == sentence; });
  m_notices.push_back({nullptr, sentence});
  if (m_notices.size() > kMostNotices)
    m_notices.erase(m_notices.begin());
  redraw();
}

void ViewerNotices::setAbout(const void* thing, const QString& sentence) {
  const auto old = std::find_if(m_notices.begin(), m_notices.end(), [&](const Notice& each) { return each.about == thing; });
  const bool isSaid = old != m_notices.end();
  if (m_dismissed.contains(thing) || (isSaid ? old->sentence == sentence : sentence.isEmpty()))
    return;
  if (isSaid && !sentence.isEmpty())
    old->sentence = sentence;
  else if (isSaid)
    m_notices.erase(old);
  else
    m_notices.push_back({thing, sentence});
  redraw();
}

void ViewerNotices::keepOnly(const QSet<const void*>& things) {
  m_dismissed.intersect(things);
  if (std::erase_if(m_notices, [&](const Notice& each) { return each.about && !things.contains(each.about); }) > 0)
    redraw();
}

void ViewerNotices::clear() {
  m_notices.clear();
  m_dismissed.clear();
  redraw();
}

void ViewerNotices::dismiss() {
  for (const Notice& each : m_notices)
    if (each.about)
      m_dismissed.insert(each.about);
  m_notices.clear();
  redraw();
}

QStringList ViewerNotices::sentences() const {
  QStringList all;
  for (auto each = m_notices.rbegin(); each != m_notices.rend(); ++each)
    all << each->sentence;
  return all;
}

void ViewerNotices::redraw() {
  const QStringList all = sentences();
  if (all.size() < 2)
    m_isExpanded = false;
  QStringList shown = all.mid(0, m_isExpanded ? kMostLines : 1);
  if (m_isExpanded && all.size() > kMostLines)
    shown << tr("… and %n older", nullptr, static_cast<int>(all.size() - kMostLines));
  m_text->setText(shown.join(QLatin1Char('\n')));
  m_more->setVisible(all.size() > 1);
  m_more->setText(m_isExpanded ? tr("Only the newest") : tr("%n more", nullptr, static_cast<int>(all.size()) - 1));
  m_more->setIcon(themedIcon(m_isExpanded ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"), IconTint::Text));
  setVisible(!all.isEmpty());
}

} // namespace voxlab
