// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_notices.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr std::size_t kMostNotices = 50; // the oldest go
constexpr int kLeastText_px = 80; // long names must not widen the window
constexpr int kMostLines = 6;     // more scroll: they must not push the views out, or the window beyond the screen
} // namespace

ViewerNotices::ViewerNotices(QWidget* parent) : QWidget(parent) {
  m_area = new QScrollArea(this);
  m_area->setWidgetResizable(true);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_area->setMinimumWidth(kLeastText_px);
  m_area->setAccessibleName(tr("Notices"));
  m_area->viewport()->setAutoFillBackground(false);
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
  layout->addWidget(m_area, 1);
  layout->addWidget(m_more, 0, Qt::AlignTop);
  layout->addWidget(close, 0, Qt::AlignTop);
  redraw();
}

void ViewerNotices::add(MessageKind kind, const QString& sentence) {
  std::erase_if(m_notices, [&](const Notice& each) { return !each.about && each.sentence == sentence; });
  m_notices.push_back({nullptr, kind, sentence});
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
    m_notices.push_back({thing, MessageKind::Attention, sentence});
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

QStringList ViewerNotices::sentences(MessageKind kind) const {
  QStringList all;
  for (auto each = m_notices.rbegin(); each != m_notices.rend(); ++each)
    if (each->kind == kind)
      all << each->sentence;
  return all;
}

// A mark beside the sentence, which is read in the colour of all text.
void ViewerNotices::addRow(const Notice& notice) {
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  QLabel* words = makeWrappedLabel(notice.sentence, nullptr, m_content);
  words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  QSizePolicy policy = words->sizePolicy();
  policy.setHorizontalPolicy(QSizePolicy::Ignored);
  words->setSizePolicy(policy);
  QLabel* mark = makeLabel({}, nullptr, m_content);
  const int height = words->fontMetrics().height();
  mark->setPixmap(themedIcon(messageIcon(notice.kind), messageTint(notice.kind)).pixmap(height, height));
  mark->setAccessibleName(notice.kind == MessageKind::Failure ? tr("Failure") : notice.kind == MessageKind::Attention ? tr("Attention") : tr("Information"));
  row->addWidget(mark, 0, Qt::AlignTop);
  row->addWidget(words, 1);
  m_rows->addLayout(row);
}

void ViewerNotices::redraw() {
  const QStringList all = sentences();
  if (all.size() < 2)
    m_isExpanded = false;
  m_content = new QWidget(m_area);
  m_content->setAutoFillBackground(false);
  m_rows = new QVBoxLayout(m_content);
  m_rows->setContentsMargins(0, 0, 0, 0);
  m_rows->setSpacing(2);
  for (auto each = m_notices.rbegin(); each != m_notices.rend(); ++each)
    if (m_isExpanded || each == m_notices.rbegin())
      addRow(*each);
  m_area->setWidget(m_content);
  m_area->verticalScrollBar()->setValue(0);
  m_more->setVisible(all.size() > 1);
  m_more->setText(m_isExpanded ? tr("Only the newest") : tr("%n more", nullptr, static_cast<int>(all.size()) - 1));
  m_more->setIcon(themedIcon(m_isExpanded ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"), IconTint::Text));
  setVisible(!all.isEmpty());
  fit();
}

void ViewerNotices::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

// As tall as the sentences, up to some lines.
void ViewerNotices::fit() {
  layout()->activate(); // the text's width is what the buttons leave
  const int most = kMostLines * fontMetrics().lineSpacing();
  const int whole = std::max(fontMetrics().height(), m_rows->hasHeightForWidth() ? m_rows->heightForWidth(m_area->width()) : m_rows->sizeHint().height());
  const bool scrolls = whole > most;
  m_area->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  m_area->setFixedHeight(std::min(whole, most));
}

} // namespace voxlab
