// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_compare_table.h"
#include "core/base/text.h"
#include "widgets/pages/viewer_statistics.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>

namespace voxlab {
namespace {
constexpr int kColumns = 5, kCopiedRole = Qt::UserRole, kCopiedDigits = 6;

QString number(double value, int digits = 3) { return QString::fromStdString(formatSignificant(value, digits)); }
QString plain(double value) { return QString::number(value, 'g', kCopiedDigits); }
} // namespace

ViewerCompareTable::ViewerCompareTable(QWidget* parent) : QTableWidget(0, kColumns, parent) {
  setAccessibleName(tr("How far each volume is from the reference"));
  setHorizontalHeaderLabels({tr("Volume"), tr("MAE"), tr("RMSE"), tr("PSNR"), tr("SSIM")});
  const QString tips[]{tr("Compared with the reference"), tr("Mean absolute error"), tr("Root mean square error"), tr("Peak signal-to-noise ratio, dB"), tr("Structural similarity, 3D")};
  for (int column = 0; column < kColumns; ++column) {
    horizontalHeaderItem(column)->setToolTip(tips[column]);
    horizontalHeaderItem(column)->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
  }
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  horizontalHeader()->setMinimumSectionSize(fontMetrics().horizontalAdvance(QStringLiteral("RMSE")) + 22); // with the style's padding
  horizontalHeader()->setHighlightSections(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(this, &QTableWidget::currentCellChanged, this, [this](int row, int, int before) {
    if (row >= 0 && row != before)
      emit chosen(row);
  });
}

void ViewerCompareTable::setVolumes(const QString& reference, const QStringList& others) {
  const QSignalBlocker quiet(this);
  m_reference = reference;
  m_where.clear();
  setRowCount(static_cast<int>(others.size()));
  for (int row = 0; row < rowCount(); ++row) {
    for (int column = 0; column < kColumns; ++column) {
      auto* item = new QTableWidgetItem(column == 0 ? others[row] : QString());
      item->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
      setItem(row, column, item);
    }
    write(row, {QStringLiteral("…"), {}, {}, {}}, {{}, {}, {}, {}}, tr("%1\nMeasuring…").arg(others[row]));
  }
  updateGeometry();
}

void ViewerCompareTable::write(int which, const QStringList& shown, const QStringList& copied, const QString& tip) {
  for (int column = 0; column < kColumns; ++column) {
    QTableWidgetItem* cell = item(which, column);
    cell->setToolTip(tip);
    if (column == 0)
      continue;
    cell->setText(shown[column - 1]);
    cell->setData(kCopiedRole, copied[column - 1]);
  }
}

void ViewerCompareTable::setStatistics(int which, const ViewerStatistics& s) {
  if (which < 0 || which >= rowCount())
    return;
  const QString infinite(QChar(0x221e)), none(QChar(0x2013));
  m_where = s.isMasked ? tr("inside the labels") : tr("whole volume");
  write(which,
        {number(s.difference.mae), number(s.difference.rmse), s.difference.psnr_db ? QString::number(*s.difference.psnr_db, 'f', 1) : infinite, s.ssim ? QString::number(*s.ssim, 'f', 3) : none},
        {plain(s.difference.mae), plain(s.difference.rmse), s.difference.psnr_db ? plain(*s.difference.psnr_db) : QStringLiteral("inf"), s.ssim ? plain(*s.ssim) : QString()},
        item(which, 0)->text() + QLatin1Char('\n') + longText(s));
}

void ViewerCompareTable::setProblem(int which, const QString& sentence) {
  if (which >= 0 && which < rowCount())
    write(which, {QString(QChar(0x2013)), QString(QChar(0x2013)), QString(QChar(0x2013)), QString(QChar(0x2013))}, {{}, {}, {}, {}}, item(which, 0)->text() + QLatin1Char('\n') + sentence);
}

void ViewerCompareTable::select(int which) {
  const QSignalBlocker quiet(this);
  setCurrentCell(which, 0);
}

QString ViewerCompareTable::text() const {
  QStringList lines{QStringList{tr("Volume (reference: %1, %2)").arg(m_reference, m_where), tr("MAE"), tr("RMSE"), tr("PSNR (dB)"), tr("SSIM")}.join(QLatin1Char('\t'))};
  for (int row = 0; row < rowCount(); ++row) {
    QStringList cells{item(row, 0)->text()};
    for (int column = 1; column < kColumns; ++column)
      cells << item(row, column)->data(kCopiedRole).toString();
    lines << cells.join(QLatin1Char('\t'));
  }
  return lines.join(QLatin1Char('\n'));
}

void ViewerCompareTable::copy() const { QGuiApplication::clipboard()->setText(text()); }

QSize ViewerCompareTable::sizeHint() const {
  return {280, horizontalHeader()->sizeHint().height() + std::max(1, rowCount()) * verticalHeader()->defaultSectionSize() + 2 * frameWidth()};
}

void ViewerCompareTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy))
    copy();
  else
    QTableWidget::keyPressEvent(event);
}

} // namespace voxlab
