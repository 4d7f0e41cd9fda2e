// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/icicle_view.h"
#include "core/base/csv.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <functional>

namespace voxlab {
namespace {
constexpr int kRow = 25;
constexpr double kLeastWords = 20; // pixels that a name needs
constexpr double kNarrowest = 0.6, kStandBack = 0.75; // pixels; how far what is not chosen fades

bool isNumber(std::string_view name) { return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }); }

std::size_t depthOf(const ModuleNode& node) {
  std::size_t deepest = 0;
  for (const auto& below : node.children)
    deepest = std::max(deepest, depthOf(below));
  return deepest + 1;
}

bool isWithin(std::string_view path, std::string_view ancestor) {
  return ancestor.empty() || (path.starts_with(ancestor) && (path.size() == ancestor.size() || path[ancestor.size()] == '.' || path[ancestor.size()] == '/'));
}
} // namespace

QString meaningOf(const ModuleNode& node) {
  if (!isNumber(node.name))
    return text(node.name);
  const QStringList parts = text(node.path).split(QLatin1Char('.'));
  qsizetype first = parts.size() - 1;
  while (first > 0 && isNumber(parts[first].toStdString()))
    --first;
  return parts.mid(first).join(QLatin1Char('.'));
}

IcicleView::IcicleView(QWidget* parent) : PaintedPlot(parent) {
  setExportName(QStringLiteral("modules"));
  setAccessibleName(tr("Modules"));
}

void IcicleView::setTree(ModuleNode root, const QString& rootName) {
  m_root = std::move(root);
  m_rootName = rootName;
  m_hovered = nullptr;
  m_places.clear();
  if (!find(m_root, m_zoomed.toStdString()))
    m_zoomed.clear();
  update();
}

void IcicleView::setChosen(const QString& path) {
  m_chosen = path.toStdString();
  m_isRestChosen = false;
  update();
}

void IcicleView::setRestChosen() {
  m_chosen.clear();
  m_isRestChosen = true;
  update();
}

void IcicleView::setPer(const QString& words) { m_per = words; }

void IcicleView::zoomTo(const QString& path) {
  m_zoomed = find(m_root, path.toStdString()) ? path : QString();
  update();
}

const ModuleNode* IcicleView::find(const ModuleNode& from, const std::string& path) const {
  if (from.path == path)
    return &from;
  for (const auto& below : from.children)
    if (isWithin(path, below.path))
      if (const ModuleNode* found = find(below, path))
        return found;
  return nullptr;
}

bool IcicleView::isChosen(const ModuleNode& node) const { return m_isRestChosen ? false : m_chosen.empty() || isWithin(node.path, m_chosen) || isWithin(m_chosen, node.path); }

QSize IcicleView::pageSize() const {
  const QSize page = PaintedPlot::pageSize();
  return {page.width(), std::max(page.height(), static_cast<int>(depthOf(m_root)) * kRow)};
}

void IcicleView::paint(QPainter& painter, const QSize& size) {
  m_places.clear();
  m_restPlace = {};
  const ThemeColours& colours = themeColours(palette());
  const ModuleNode* zoomed = find(m_root, m_zoomed.toStdString());
  // What lies around the zoomed module stands above it, over the whole width, to go back by.
  int row = 0;
  for (const ModuleNode* around = &m_root; around && around != zoomed;) {
    paintNode(painter, {around->name, around->path, around->total_ms, around->self_ms, around->calls, around->category, {}}, 0, size.width(), row++, size, colours);
    m_places.back().node = around;
    const ModuleNode* next = nullptr;
    for (const auto& below : around->children)
      if (isWithin(zoomed->path, below.path))
        next = &below;
    around = next;
  }
  paintNode(painter, *zoomed, 0, size.width(), row, size, colours);
}

void IcicleView::paintNode(QPainter& painter, const ModuleNode& node, double left, double width, int row, const QSize& size, const ThemeColours& colours) {
  const QRectF area(left, row * kRow, width, kRow - 2);
  if (width < kNarrowest || area.bottom() > size.height())
    return;
  QColor colour = node.path.empty() ? colours.border : namedColour(text(categoryName(node.category)), colours.kind);
  if (!node.path.empty())
    colour = blended(colour, colours.surface, isChosen(node) ? 0.08 * std::max(0, 3 - row) : kStandBack);
  if (m_hovered == &node)
    colour = blended(colour, colours.text, 0.15);
  QRectF filled = area;
  if (width > 3)
    filled.setWidth(width - 1);
  painter.fillRect(filled, colour);
  m_places.push_back({area, &node});
  if (width > kLeastWords)
    paintName(painter, node, area, colour);
  double x = left;
  for (const auto& below : node.children) {
    const double share = node.total_ms > 0 ? below.total_ms / node.total_ms : 0;
    paintNode(painter, below, x, width * share, row + 1, size, colours);
    x += width * share;
  }
  if (node.path.empty() && node.self_ms > 0 && !node.children.empty())
    paintRest(painter, node, QRectF(x, area.top() + kRow, left + width - x, area.height()), size, colours);
}

// The longest of its names that has room.
void IcicleView::paintName(QPainter& painter, const ModuleNode& node, const QRectF& area, const QColor& ground) const {
  const QString name = node.path.empty() ? m_rootName : meaningOf(node);
  const QString time = tr("  %1 ms").arg(text(formatMilliseconds(node.total_ms)));
  const int room = static_cast<int>(area.width()) - 8;
  QStringList names{name + time, name};
  if (isNumber(node.name)) // the numbers below the word, then the last of them
    names << name.section(QLatin1Char('.'), 1) << text(node.name);
  const auto fits = std::find_if(names.begin(), names.end(), [&](const QString& words) { return painter.fontMetrics().horizontalAdvance(words) <= room; });
  const QString shown = fits != names.end() ? *fits : painter.fontMetrics().elidedText(name, Qt::ElideRight, room);
  painter.setPen(readableOn(ground));
  painter.drawText(area.adjusted(5, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
}

// Kernels that no module was recorded for stand beside the modules, so that all adds up.
void IcicleView::paintRest(QPainter& painter, const ModuleNode& root, const QRectF& area, const QSize& size, const ThemeColours& colours) {
  if (area.width() < kNarrowest || area.bottom() > size.height())
    return;
  QColor ground = blended(colours.border, colours.surface, m_chosen.empty() ? 0 : kStandBack);
  if (m_isRestHovered)
    ground = blended(ground, colours.text, 0.15);
  painter.fillRect(area, ground);
  painter.fillRect(area, QBrush(blended(ground, colours.muted, 0.35), Qt::BDiagPattern));
  m_restPlace = area;
  const QString name = tr("no module"), full = tr("%1  %2 ms").arg(name, text(formatMilliseconds(root.self_ms)));
  const QString& shown = painter.fontMetrics().horizontalAdvance(full) <= area.width() - 8 ? full : name;
  const double wanted = painter.fontMetrics().horizontalAdvance(shown);
  if (wanted > area.width() - 8)
    return;
  painter.fillRect(QRectF(area.left() + 3, area.top() + 3, wanted + 5, area.height() - 6), ground); // the words stand on plain ground
  painter.setPen(readableOn(ground));
  painter.drawText(area.adjusted(5, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
}

const ModuleNode* IcicleView::nodeAt(const QPointF& position) const {
  for (const Place& place : m_places)
    if (place.area.contains(position))
      return place.node;
  return nullptr;
}

void IcicleView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton)
    return;
  const ModuleNode* node = nodeAt(event->position());
  if (!node) {
    if (m_restPlace.contains(event->position()))
      emit restClicked();
    return;
  }
  const QString path = text(node->path);
  if (!m_zoomed.isEmpty() && isWithin(m_zoomed.toStdString(), node->path)) // it or something around it: back out
    zoomTo(path == m_zoomed ? QString() : path);
  emit moduleClicked(path);
}

void IcicleView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const ModuleNode* node = nodeAt(event->position()))
    zoomTo(text(node->path));
}

void IcicleView::mouseMoveEvent(QMouseEvent* event) {
  const ModuleNode* node = nodeAt(event->position());
  const bool isRest = !node && m_restPlace.contains(event->position());
  if (node == m_hovered && isRest == m_isRestHovered)
    return;
  m_hovered = node;
  m_isRestHovered = isRest;
  setCursor(node || isRest ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void IcicleView::leaveEvent(QEvent*) {
  m_hovered = nullptr;
  m_isRestHovered = false;
  update();
}

bool IcicleView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip)
    return PaintedPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const ModuleNode* node = nodeAt(help->pos());
  if (!node) {
    if (m_restPlace.contains(help->pos()))
      QToolTip::showText(help->globalPos(), tr("%1 ms%2 of kernels that no module was recorded for\nClick selects").arg(text(formatMilliseconds(m_root.self_ms)), m_per), this);
    else
      QToolTip::hideText();
    return true;
  }
  const double share = m_root.total_ms > 0 ? node->total_ms / m_root.total_ms : 0;
  QStringList lines{node->path.empty() ? m_rootName : text(node->path),
                    tr("%1 ms%2 (%3 % of all)").arg(text(formatMilliseconds(node->total_ms)), m_per, text(formatSignificant(100 * share, 2)))};
  if (!node->children.empty() && node->self_ms > 0)
    lines << tr("%1 ms of its own").arg(text(formatMilliseconds(node->self_ms)));
  lines << tr("%1 kernels").arg(text(formatCount(static_cast<std::int64_t>(node->calls)))) << tr("Click selects, double click zooms");
  QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
  return true;
}

QString IcicleView::tableText() const {
  std::string out = csvLine({"module", "total_ms_per_step", "self_ms_per_step", "kernels", "category"});
  const std::function<void(const ModuleNode&)> add = [&](const ModuleNode& node) {
    out += csvLine({node.path, QString::number(node.total_ms, 'g', 9).toStdString(), QString::number(node.self_ms, 'g', 9).toStdString(), std::to_string(node.calls), std::string(categoryName(node.category))});
    for (const auto& below : node.children)
      add(below);
  };
  add(m_root);
  return text(out);
}

} // namespace voxlab
