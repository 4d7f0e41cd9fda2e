// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/icons.h"
#include "widgets/plots/theme_colours.h"
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>

namespace voxlab {
namespace {
class TintedEngine : public QIconEngine {
public:
  TintedEngine(QString name, IconTint tint) : m_name(std::move(name)), m_tint(tint) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1;
    const int size = std::min(rect.width(), rect.height());
    const QPixmap drawing = tintedPixmap(m_name, colour(mode, state), size, ratio);
    painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, drawing);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return tintedPixmap(m_name, colour(mode, state), std::min(size.width(), size.height()));
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    // Qt passes device pixels here.
    const int logical = static_cast<int>(std::lround(std::min(size.width(), size.height()) / scale));
    return tintedPixmap(m_name, colour(mode, state), logical, scale);
  }
  QIconEngine* clone() const override { return new TintedEngine(m_name, m_tint); }

private:
  QColor colour(QIcon::Mode mode, QIcon::State state) const {
    const ThemeColours& theme = themeColours(QGuiApplication::palette());
    if (mode == QIcon::Disabled)
      return theme.disabled;
    if (state == QIcon::On && (m_tint == IconTint::Text || m_tint == IconTint::Muted))
      return theme.accent;
    switch (m_tint) {
    case IconTint::Muted: return theme.muted;
    case IconTint::Accent: return theme.accent;
    case IconTint::OnAccent: return theme.onAccent;
    case IconTint::Danger: return theme.danger;
    case IconTint::Warning: return theme.warning;
    case IconTint::Text: break;
    }
    return theme.text;
  }
  QString m_name;
  IconTint m_tint;
};

QString resourcePath(const QString& name) { return QStringLiteral(":/icons/%1.svg").arg(name); }
} // namespace

QByteArray tintedSvg(const QString& name, const QColor& colour) {
  QFile file(resourcePath(name));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  return file.readAll().replace("currentColor", colour.name().toLatin1());
}

QPixmap tintedPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio) {
  const QString key = QStringLiteral("voxlab-icon/%1/%2/%3/%4").arg(name, colour.name()).arg(size).arg(devicePixelRatio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap))
    return pixmap;
  const int pixels = std::max(1, static_cast<int>(std::ceil(size * devicePixelRatio)));
  pixmap = QPixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(tintedSvg(name, colour));
  if (renderer.isValid()) {
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
  }
  pixmap.setDevicePixelRatio(devicePixelRatio);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QIcon themedIcon(const QString& name, IconTint tint) {
  return QFile::exists(resourcePath(name)) ? QIcon(new TintedEngine(name, tint)) : QIcon();
}

} // namespace voxlab
