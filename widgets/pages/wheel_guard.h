// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the wheel for the page: turned over a field or a plot of a scrolling page, it scrolls the page. It changes the field, or zooms
// the plot, when that has been clicked or tabbed into, and with Ctrl. Every scrolling page has one.
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
