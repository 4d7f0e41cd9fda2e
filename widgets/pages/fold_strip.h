// SPDX-License-Identifier: GPL-3.0-or-later
// A narrow button along a panel's edge that folds the panel away and brings it back, so that what stands beside it gets its room.
#pragma once
#include <QAbstractButton>

namespace voxlab {

class FoldStrip : public QAbstractButton {
  Q_OBJECT
public:
  enum class Side { Left, Right }; // where the panel lies
  // what: "the runs", as tool tip and name say it; keys do the same and stand beside it.
  FoldStrip(Side side, const QString& what, const QString& keys, QWidget* parent = nullptr);
  void setFolded(bool folded); // clicked() does not change it: whoever folds tells
  bool isFolded() const { return m_isFolded; }
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

private:
  Side m_side;
  QString m_what, m_keys;
  bool m_isFolded = false;
};

} // namespace voxlab
