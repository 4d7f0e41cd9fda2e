// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/system_theme.h"
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>
#include <QGuiApplication>
#include <unistd.h>

namespace voxlab {
namespace {
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kSpace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme"); // 0 no preference, 1 dark, 2 light

// Without a session bus at hand, connecting would try to launch one and wait.
bool hasSessionBus() {
  return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") || QFileInfo::exists(QStringLiteral("/run/user/%1/bus").arg(::getuid()));
}
} // namespace

SystemTheme::SystemTheme(QObject* parent) : QObject(parent), m_kind(themeColours(QGuiApplication::palette()).kind) {
  if (hasSessionBus())
    ask();
}

void SystemTheme::ask() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected())
    return;
  bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this, SLOT(portalChanged(QString, QString, QDBusVariant)));
  QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
  call << kSpace << kKey;
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
    const QDBusPendingReply<QVariant> reply = *done;
    if (!reply.isError())
      take(reply.value());
    done->deleteLater();
  });
}

void SystemTheme::portalChanged(const QString& space, const QString& key, const QDBusVariant& value) {
  if (space == kSpace && key == kKey)
    take(value.variant());
}

void SystemTheme::take(QVariant value) {
  while (value.canConvert<QDBusVariant>())
    value = value.value<QDBusVariant>().variant();
  const ThemeKind kind = value.toUInt() == 1 ? ThemeKind::Dark : ThemeKind::Light;
  if (kind == m_kind)
    return;
  m_kind = kind;
  emit changed(kind);
}

} // namespace voxlab
