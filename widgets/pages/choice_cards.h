// SPDX-License-Identifier: GPL-3.0-or-later
// Choices as cards with a title and what each does: one can be taken, or several. Unavailable ones say why.
#pragma once
#include "core/protocol/catalog.h"
#include <QAbstractButton>
#include <QList>
#include <QWidget>

namespace voxlab {

enum class CardSelection { One, Several };

struct CardText {
  QString value, title, explanation;
  QString unavailable; // why it cannot be used; empty when it can
  QString icon;        // a name for themedIcon(); may be empty
};

class ChoiceCard : public QAbstractButton {
  Q_OBJECT
public:
  explicit ChoiceCard(CardText text, CardSelection selection, QWidget* parent = nullptr);
  const QString& value() const { return m_text.value; }
  QSize sizeHint() const override { return {200, heightForWidth(200)}; }
  QSize minimumSizeHint() const override { return {120, 40}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  QFont titleFont() const;
  QFont smallFont() const;
  QString smallText() const;
  int textLeft() const;
  void paintMark(QPainter& painter) const;

  CardText m_text;
  CardSelection m_selection;
};

class ChoiceCards : public QWidget {
  Q_OBJECT
public:
  explicit ChoiceCards(CardSelection selection, int cardWidth = 200, QWidget* parent = nullptr);
  void setChoices(const QList<CardText>& choices);
  QStringList values() const; // in the order of the cards
  void setValues(const QStringList& values);
  ChoiceCard* card(const QString& value) const; // nullptr if there is none

signals:
  void edited();

private:
  void select(ChoiceCard* clicked);
  CardSelection m_selection;
  QList<ChoiceCard*> m_cards;
};

QList<CardText> cardTexts(const std::vector<Choice>& choices);

} // namespace voxlab
