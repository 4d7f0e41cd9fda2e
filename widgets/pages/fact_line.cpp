// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/fact_line.h"
#include <QPainter>
#include <algorithm>

namespace voxlab {
namespace {
const QString kBetween = QStringLiteral("  ·  ");
}

FactLine::FactLine(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FactLine::setFacts(const QStringList& facts) {
  m_facts = facts;
  setAccessibleName(facts.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

QList<QStringList> FactLine::rows(int width) const {
  QList<QStringList> rows;
  for (const QString& fact : m_facts) {
    const bool fits = !rows.isEmpty() && fontMetrics().horizontalAdvance((rows.back() + QStringList{fact}).join(kBetween)) <= width;
    if (fits)
      rows.back() << fact;
    else
      rows << QStringList{fact};
  }
  return rows;
}

int FactLine::heightForWidth(int width) const { return static_cast<int>(std::max<qsizetype>(1, rows(width).size())) * fontMetrics().lineSpacing(); }

QSize FactLine::sizeHint() const { return {fontMetrics().horizontalAdvance(m_facts.join(kBetween)), fontMetrics().lineSpacing()}; }

QSize FactLine::minimumSizeHint() const {
  int widest = 0;
  for (const QString& fact : m_facts)
    widest = std::max(widest, fontMetrics().horizontalAdvance(fact));
  return {widest, fontMetrics().lineSpacing()};
}

void FactLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  int top = 0;
  for (const QStringList& row : rows(width())) {
    painter.drawText(QRect(0, top, width(), fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter, row.join(kBetween));
    top += fontMetrics().lineSpacing();
  }
}

} // namespace voxlab
