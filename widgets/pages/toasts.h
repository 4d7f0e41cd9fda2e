// SPDX-License-Identifier: GPL-3.0-or-later
// Short messages over the window's lower right corner, each with a jump to what it is about. Failures stay until closed.
#pragma once
#include "widgets/pages/message_kind.h"
#include <QWidget>
#include <functional>

class QVBoxLayout;

namespace voxlab {

using ToastKind = MessageKind;

class Toasts : public QWidget {
  Q_OBJECT
public:
  explicit Toasts(QWidget* window);
  // `jump` is called by the link `jumpText`; both may be left out.
  void add(ToastKind kind, const QString& text, const QString& jumpText = {}, std::function<void()> jump = {});
  int count() const;
  QString newestText() const;

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void place();
  QVBoxLayout* m_column;
  QString m_newest;
};

} // namespace voxlab
