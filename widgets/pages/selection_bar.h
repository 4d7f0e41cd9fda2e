// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, as chips that can be taken away one by one; beside it how to go back. Hidden while there is nothing to say; in
// a narrow place the chips' words are shortened.
#pragma once
#include "widgets/models/profile_selection.h"
#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace voxlab {

class SelectionBar : public QWidget {
  Q_OBJECT
public:
  explicit SelectionBar(ProfileSelection* selection, QWidget* parent = nullptr);
  QSize minimumSizeHint() const override;

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void refresh();
  void fitWords();
  ProfileSelection* m_selection;
  QHBoxLayout* m_chips;
  QToolButton* m_back;
  QWidget* m_clear;
  struct Shown {
    QPushButton* button;
    QString text; // all of it
  };
  std::vector<Shown> m_shown;
};

} // namespace voxlab
