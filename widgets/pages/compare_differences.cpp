// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_differences.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/page_parts.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::size_t kMostOperators = 200;
constexpr int kLeastCombo = 110;

QString changeWord(Change change) {
  switch (change) {
  case Change::Appeared: return QObject::tr("appeared");
  case Change::Vanished: return QObject::tr("vanished");
  case Change::Grew: return QObject::tr("grew");
  case Change::Shrank: return QObject::tr("shrank");
  case Change::Same: return QObject::tr("unchanged");
  case Change::Unknown: break;
  }
  return {};
}

QString milliseconds(double ms) { return ms == 0 ? text(std::string(kUnknown)) : text(formatSignificant(ms)); }

QTreeWidgetItem* itemFor(const Difference& d) {
  const double delta = d.delta_ms();
  auto* item = new QTreeWidgetItem({text(d.what), milliseconds(d.baseline_ms), milliseconds(d.other_ms),
                                    (delta < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text(formatSignificant(std::abs(delta))), changeWord(d.change)});
  for (int column = 1; column <= 3; ++column)
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  if (!d.baselineKernels.empty() || !d.otherKernels.empty())
    item->setToolTip(0, QObject::tr("%1\nbefore: %2\nnow: %3").arg(text(d.what), text(d.baselineKernels), text(d.otherKernels)));
  return item;
}
} // namespace

CompareDifferences::CompareDifferences(const ComparisonModel* model, QWidget* parent)
    : QFrame(parent), m_model(model), m_other(new QComboBox), m_by(new QComboBox), m_sentence(makeWrappedLabel({})), m_tree(new QTreeWidget) {
  setRole(this, "card");
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("Why faster?"), "heading"));
  head->addStretch();
  head->addWidget(m_other);
  head->addWidget(m_by);
  m_other->setAccessibleName(tr("Mode to explain"));
  m_by->setAccessibleName(tr("How differences are grouped"));
  for (QComboBox* box : {m_other, m_by})
    box->setMinimumWidth(kLeastCombo); // long names do not widen the page
  m_by->addItems({tr("by category"), tr("by operator")});
  m_tree->setColumnCount(5);
  m_tree->setUniformRowHeights(true);
  m_tree->setRootIsDecorated(true);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setMinimumHeight(280);
  m_tree->setAccessibleName(tr("Differences"));
  m_tree->header()->setStretchLastSection(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->addLayout(head);
  column->addWidget(m_sentence);
  column->addWidget(m_tree, 1);
  connect(m_other, &QComboBox::currentIndexChanged, this, &CompareDifferences::show);
  connect(m_by, &QComboBox::currentIndexChanged, this, &CompareDifferences::show);
}

void CompareDifferences::refresh() {
  const QVariant kept = m_other->currentData();
  m_differences.clear();
  {
    const QSignalBlocker blocker(m_other);
    m_other->clear();
    for (const RunDifference& d : m_model->comparison().differences) {
      m_differences.push_back(m_model->named(d));
      m_other->addItem(text(m_differences.back().other), text(d.other));
    }
    m_other->setCurrentIndex(std::max(0, m_other->findData(kept)));
  }
  setVisible(!m_differences.empty());
  show();
}

void CompareDifferences::choose(const QString& side) {
  if (const int index = m_other->findData(side); index >= 0)
    m_other->setCurrentIndex(index);
}

void CompareDifferences::show() {
  m_tree->clear();
  const int index = m_other->currentIndex();
  if (index < 0 || static_cast<std::size_t>(index) >= m_differences.size())
    return;
  const RunDifference& d = m_differences[static_cast<std::size_t>(index)];
  m_sentence->setText(text(d.sentence));
  m_tree->setHeaderLabels({m_by->currentIndex() == 0 ? tr("Category, family, kernel") : tr("Operator"), tr("%1 (ms)").arg(text(d.baseline)), tr("%1 (ms)").arg(text(d.other)),
                           tr("Difference (ms)"), tr("Change")});
  if (m_by->currentIndex() == 1) {
    for (std::size_t n = 0; n < std::min(kMostOperators, d.operators.size()); ++n)
      m_tree->addTopLevelItem(itemFor(d.operators[n]));
  } else {
    for (const CategoryDifference& category : d.categories) {
      QTreeWidgetItem* top = itemFor(category);
      for (const FamilyDifference& family : category.families) {
        QTreeWidgetItem* middle = itemFor(family);
        for (const Difference& kernel : family.kernels)
          middle->addChild(itemFor(kernel));
        top->addChild(middle);
      }
      m_tree->addTopLevelItem(top);
    }
  }
  m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int column = 1; column < 5; ++column)
    m_tree->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

} // namespace voxlab
