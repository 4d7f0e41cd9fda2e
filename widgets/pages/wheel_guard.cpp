// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/wheel_guard.h"
#include "widgets/plots/plot_view.h"
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QChildEvent>
#include <QComboBox>
#include <QScrollBar>
#include <QWheelEvent>

namespace voxlab {
namespace {
QWidget* wheelField(QObject* object) { // what a wheel would change; nullptr: nothing
  const bool slides = qobject_cast<QAbstractSlider*>(object) && !qobject_cast<QScrollBar*>(object);
  const bool zooms = object->isWidgetType() && qobject_cast<PlotView*>(object->parent());
  return slides || zooms || qobject_cast<QComboBox*>(object) || qobject_cast<QAbstractSpinBox*>(object) ? static_cast<QWidget*>(object) : nullptr;
}

void refuseFocusByWheel(QObject* object) { // Qt gives it before anybody can say no
  QWidget* field = wheelField(object);
  if (field && field->focusPolicy() == Qt::WheelFocus)
    field->setFocusPolicy(Qt::StrongFocus);
}
} // namespace

WheelGuard::WheelGuard(QWidget* form) : QObject(form) { watch(form); }

void WheelGuard::watch(QObject* object) {
  object->installEventFilter(this); // once, however often it is asked for
  refuseFocusByWheel(object);
  for (QObject* child : object->children())
    if (child->isWidgetType())
      watch(child);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
  case QEvent::ChildAdded:
    if (QObject* child = static_cast<QChildEvent*>(event)->child(); child->isWidgetType())
      watch(child);
    break;
  case QEvent::Polish: // only now is it known what a child made in place is
    refuseFocusByWheel(watched);
    break;
  case QEvent::Wheel:
    if (const QWidget* field = wheelField(watched); field && !field->hasFocus() && !(static_cast<QWheelEvent*>(event)->modifiers() & Qt::ControlModifier)) {
      event->ignore();
      return true;
    }
    break;
  default:
    break;
  }
  return QObject::eventFilter(watched, event);
}

} // namespace voxlab
