// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, as chips that can be taken away one by one; beside it how to go back.
#pragma once
#include "widgets/models/profile_selection.h"
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace voxlab {

class SelectionBar : public QWidget {
  Q_OBJECT
public:
  explicit SelectionBar(ProfileSelection* selection, QWidget* parent = nullptr);

private:
  void refresh();
  ProfileSelection* m_selection;
  QHBoxLayout* m_chips;
  QToolButton* m_back;
  QWidget* m_clear;
};

} // namespace voxlab
