// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/log_view.h"
#include "widgets/pages/page_parts.h"
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {

LogView::LogView(QWidget* parent) : QFrame(parent), m_edit(new QPlainTextEdit(this)) {
  setRole(this, "card");
  setAccessibleName(tr("Log"));
  setRole(m_edit, "mono");
  m_edit->setReadOnly(true);
  m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_edit->setTabChangesFocus(true);
  m_edit->setUndoRedoEnabled(false);
  m_edit->setPlaceholderText(tr("The worker has not said anything yet."));
  m_edit->setAccessibleName(tr("The worker's log"));
  m_edit->setMinimumHeight(80);
  m_warning = makeWrappedLabel({}, "attention", this);
  m_warning->hide();
  QToolButton* copy = makeToolButton(QStringLiteral("copy"), tr("Copy the log"), this);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("Log"), "heading", this), 1);
  head->addWidget(copy);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, 12);
  column->setSpacing(kSpaceSmall);
  column->addLayout(head);
  column->addWidget(m_warning);
  column->addWidget(m_edit, 1);
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_edit->toPlainText()); });
}

void LogView::setText(const QString& text) {
  if (text == m_shown)
    return;
  QScrollBar* bar = m_edit->verticalScrollBar();
  const bool atEnd = bar->value() >= bar->maximum() - 2;
  const int position = bar->value();
  if (!m_shown.isEmpty() && text.startsWith(m_shown))
    m_edit->appendPlainText(text.mid(m_shown.size()).trimmed());
  else
    m_edit->setPlainText(text.trimmed());
  m_shown = text;
  bar->setValue(atEnd ? bar->maximum() : position);
}

void LogView::setWarnings(const QStringList& newest, quint64 count) {
  m_warning->setVisible(count > 0);
  if (count == 0)
    return;
  m_warning->setText(count == 1 ? newest.last() : tr("%1 (%2 warnings in all)").arg(newest.last()).arg(count));
  m_warning->setToolTip(newest.join(QLatin1Char('\n')));
}

} // namespace voxlab
