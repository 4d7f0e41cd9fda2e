// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the desktop is light or dark, and when that changes: asked of the desktop portal (freedesktop.org's
// org.freedesktop.appearance), else told by the palette that Qt took from the desktop.
#pragma once
#include "widgets/plots/theme_colours.h"
#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace voxlab {

class SystemTheme : public QObject {
  Q_OBJECT
public:
  explicit SystemTheme(QObject* parent = nullptr); // make it before the palette is replaced
  ThemeKind kind() const { return m_kind; }

signals:
  void changed(voxlab::ThemeKind kind);

private slots:
  void portalChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
  void ask();
  void take(QVariant value);
  ThemeKind m_kind;
};

} // namespace voxlab
