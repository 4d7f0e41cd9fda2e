// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/choice_cards.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/theme_colours.h"
#include <QEvent>
#include <QPainter>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kPadding = 12, kMarkSize = 16, kTextFlags = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;
} // namespace

ChoiceCard::ChoiceCard(CardText text, CardSelection selection, QWidget* parent)
    : QAbstractButton(parent), m_text(std::move(text)), m_selection(selection) {
  setText(m_text.title);
  setCheckable(true);
  setEnabled(m_text.unavailable.isEmpty());
  setFocusPolicy(Qt::StrongFocus);
  setCursor(isEnabled() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setAccessibleName(m_text.title);
  setAccessibleDescription(smallText());
  setToolTip(m_text.unavailable);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

QFont ChoiceCard::titleFont() const {
  QFont f = font();
  f.setWeight(QFont::DemiBold);
  return f;
}

QFont ChoiceCard::smallFont() const {
  QFont f = font();
  f.setPointSizeF(std::max(8.0, font().pointSizeF() - 1));
  return f;
}

QString ChoiceCard::smallText() const { return m_text.unavailable.isEmpty() ? m_text.explanation : m_text.unavailable; }

int ChoiceCard::textLeft() const { return kPadding + kMarkSize + kSpace; }

int ChoiceCard::heightForWidth(int width) const {
  const int room = std::max(40, width - textLeft() - kPadding);
  const int title = QFontMetrics(titleFont()).boundingRect(QRect(0, 0, room, 1000), kTextFlags, m_text.title).height();
  if (smallText().isEmpty())
    return title + 2 * kPadding;
  return title + QFontMetrics(smallFont()).boundingRect(QRect(0, 0, room, 1000), kTextFlags, smallText()).height() + kSpaceSmall + 2 * kPadding;
}

bool ChoiceCard::event(QEvent* event) {
  if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave || event->type() == QEvent::Enter || event->type() == QEvent::Leave)
    update();
  return QAbstractButton::event(event);
}

void ChoiceCard::paintMark(QPainter& painter) const {
  const ThemeColours& theme = themeColours(palette());
  const QRectF mark(kPadding + 0.5, kPadding + 0.5, kMarkSize - 1, kMarkSize - 1);
  if (!m_text.icon.isEmpty()) {
    const QColor colour = !isEnabled() ? theme.disabled : isChecked() ? theme.accent : theme.muted;
    painter.drawPixmap(kPadding, kPadding, tintedPixmap(m_text.icon, colour, kMarkSize + 2, devicePixelRatioF()));
    return;
  }
  painter.setPen(QPen(isChecked() ? theme.accent : isEnabled() ? theme.strongBorder : theme.border, 1));
  painter.setBrush(isChecked() ? theme.accent : theme.surface);
  if (m_selection == CardSelection::One) {
    painter.drawEllipse(mark);
    if (isChecked()) {
      painter.setBrush(theme.onAccent);
      painter.setPen(Qt::NoPen);
      painter.drawEllipse(mark.center(), 3, 3);
    }
    return;
  }
  painter.drawRoundedRect(mark, 4, 4);
  if (isChecked())
    painter.drawPixmap(mark.topLeft(), tintedPixmap(QStringLiteral("check"), theme.onAccent, kMarkSize - 1, devicePixelRatioF()));
}

void ChoiceCard::paintEvent(QPaintEvent*) {
  const ThemeColours& theme = themeColours(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool active = isChecked() || hasFocus();
  painter.setPen(QPen(active ? theme.accent : underMouse() && isEnabled() ? theme.muted : theme.border, hasFocus() && isChecked() ? 2 : 1));
  painter.setBrush(isChecked() ? theme.accentSoft : underMouse() && isEnabled() ? theme.raised : theme.surface);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
  paintMark(painter);
  QRect room(textLeft(), kPadding - 1, width() - textLeft() - kPadding, height() - kPadding);
  painter.setPen(isEnabled() ? theme.text : theme.disabled);
  painter.setFont(titleFont());
  QRect used;
  painter.drawText(room, kTextFlags, m_text.title, &used);
  room.setTop(used.bottom() + kSpaceSmall);
  painter.setFont(smallFont());
  painter.setPen(!m_text.unavailable.isEmpty() ? theme.warning : isEnabled() ? theme.muted : theme.disabled);
  painter.drawText(room, kTextFlags, smallText());
}

ChoiceCards::ChoiceCards(CardSelection selection, int cardWidth, QWidget* parent) : QWidget(parent), m_selection(selection) {
  setLayout(new FlowLayout(kSpace, cardWidth));
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ChoiceCards::setChoices(const QList<CardText>& choices) {
  qDeleteAll(m_cards);
  m_cards.clear();
  for (const CardText& choice : choices) {
    auto* card = new ChoiceCard(choice, m_selection, this);
    connect(card, &ChoiceCard::clicked, this, [this, card] { select(card); });
    layout()->addWidget(card);
    m_cards << card;
  }
}

void ChoiceCards::select(ChoiceCard* clicked) {
  if (m_selection == CardSelection::One)
    for (ChoiceCard* card : m_cards)
      card->setChecked(card == clicked);
  emit edited();
}

QStringList ChoiceCards::values() const {
  QStringList values;
  for (const ChoiceCard* card : m_cards)
    if (card->isChecked())
      values << card->value();
  return values;
}

void ChoiceCards::setValues(const QStringList& values) {
  for (ChoiceCard* card : m_cards)
    card->setChecked(values.contains(card->value()));
}

ChoiceCard* ChoiceCards::card(const QString& value) const {
  const auto at = std::find_if(m_cards.begin(), m_cards.end(), [&](const ChoiceCard* card) { return card->value() == value; });
  return at == m_cards.end() ? nullptr : *at;
}

QList<CardText> cardTexts(const std::vector<Choice>& choices) {
  QList<CardText> texts;
  for (const Choice& choice : choices)
    texts.append({QString::fromStdString(choice.value), QString::fromStdString(choice.title), QString::fromStdString(choice.explanation),
                  QString::fromStdString(choice.unavailable), {}});
  return texts;
}

} // namespace voxlab
