// SPDX-License-Identifier: GPL-3.0-or-later
// A plot on a card: title, newest figures in words, room for a control or two.
#pragma once
#include <QFrame>

class QHBoxLayout;
class QLabel;

namespace voxlab {

class ElidedLabel;

class PlotCard : public QFrame {
  Q_OBJECT
public:
  PlotCard(const QString& title, QWidget* body, QWidget* parent = nullptr);
  void setTitle(const QString& title);
  void setFigure(const QString& text); // at the right of the title
  void addControl(QWidget* control);

private:
  QHBoxLayout* m_head;
  QLabel* m_title;
  ElidedLabel* m_figure;
};

// A card's body: a plot with words below it, which keep their height.
QWidget* withWordsBelow(QWidget* plot, QLabel* words);

} // namespace voxlab
