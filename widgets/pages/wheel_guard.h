// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the wheel for the page: turned over a field of a scrolling form, it scrolls the form, and changes the field only when the
// field has been clicked or tabbed into. Every scrolling form has one.
#pragma once
#include <QObject>

class QWidget;

namespace voxlab {

class WheelGuard : public QObject {
public:
  // Watches `form` and all that is ever put into it; belongs to it.
  explicit WheelGuard(QWidget* form);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void watch(QObject* object);
};

} // namespace voxlab
