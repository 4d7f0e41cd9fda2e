// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/command_palette.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/theme_colours.h"
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace voxlab {
namespace {
constexpr int kWidth = 560, kHeight = 400, kRowHeight = 34, kCommandRole = Qt::UserRole + 1, kKeysRole = Qt::UserRole + 2, kGroupRole = Qt::UserRole + 3;

// Title at the left, group and keys at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRowHeight}; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const ThemeColours& theme = themeColours(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(theme.accentSoft);
      painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 6, 6);
    }
    const QRect row = option.rect.adjusted(16, 0, -16, 0);
    const bool enabled = index.flags() & Qt::ItemIsEnabled;
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, QRect(row.left(), row.center().y() - 8, 16, 16), Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    const QString keys = index.data(kKeysRole).toString(), group = index.data(kGroupRole).toString();
    QFont small = option.font;
    small.setPointSizeF(std::max(8.0, small.pointSizeF() - 1));
    painter->setFont(small);
    painter->setPen(theme.muted);
    const QString right = keys.isEmpty() ? group : keys;
    const int rightWidth = painter->fontMetrics().horizontalAdvance(right);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, right);
    painter->setFont(option.font);
    painter->setPen(enabled ? theme.text : theme.disabled);
    const QRect room = row.adjusted(26, 0, -rightWidth - 12, 0);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    painter->restore();
  }
};
} // namespace

CommandPalette::CommandPalette(QWidget* window) : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint), m_edit(new QLineEdit(this)), m_list(new QListWidget(this)) {
  setAccessibleName(tr("Commands"));
  setModal(true);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  QFrame* card = makeCard({}, this);
  card->setStyleSheet(QStringLiteral("QFrame[role=\"card\"] { border-radius: 0; }"));
  outer->addWidget(card);
  layoutOf(card)->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
  m_edit->setPlaceholderText(tr("Type what you want to do, or a run…"));
  m_edit->setAccessibleName(tr("Command"));
  m_edit->installEventFilter(this);
  m_list->setItemDelegate(new CommandDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformItemSizes(true);
  m_none = makeWrappedLabel({}, "help", this);
  m_none->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_none->setContentsMargins(kSpaceLarge, 32, kSpaceLarge, 0);
  m_none->hide();
  layoutOf(card)->addWidget(m_edit);
  layoutOf(card)->addWidget(m_list, 1);
  layoutOf(card)->addWidget(m_none, 1);
  setFixedSize(kWidth, kHeight);
  connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_edit, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open(const QList<Command>& commands) {
  m_commands = commands;
  m_edit->clear();
  filter({});
  const QRect window = parentWidget()->window()->geometry();
  move(window.center().x() - kWidth / 2, window.top() + std::min(120, window.height() / 6));
  QDialog::open();
  m_edit->setFocus();
}

void CommandPalette::filter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  m_list->clear();
  for (int i = 0; i < m_commands.size(); ++i) {
    const Command& command = m_commands[i];
    const QString searched = command.title + QLatin1Char(' ') + command.group;
    if (!std::all_of(words.begin(), words.end(), [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); }))
      continue;
    auto* item = new QListWidgetItem(themedIcon(command.icon, IconTint::Muted), command.title, m_list);
    item->setData(kCommandRole, i);
    item->setData(kKeysRole, command.keys);
    item->setData(kGroupRole, command.group);
    if (!command.isEnabled)
      item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
  }
  m_list->setCurrentRow(0);
  const bool any = m_list->count() > 0;
  m_list->setVisible(any);
  m_none->setVisible(!any);
  m_none->setText(any ? QString() : tr("No command, run or recent file has “%1” in its name.\nType fewer letters or another word; with the field empty, everything is listed.").arg(text.trimmed()));
  m_edit->setAccessibleDescription(m_none->text());
}

int CommandPalette::shownCount() const { return m_list->count(); }
QString CommandPalette::sentence() const { return m_none->text(); }

void CommandPalette::runCurrent() {
  const QListWidgetItem* item = m_list->currentItem();
  if (!item || !(item->flags() & Qt::ItemIsEnabled))
    return;
  const auto run = m_commands[item->data(kCommandRole).toInt()].run;
  accept();
  if (run)
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_edit && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      const int step = key == Qt::Key_Down ? 1 : -1;
      m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

namespace {
// Groups with keys, in their order: down the left column, then the right, about as high as each other.
std::array<QStringList, 2> columnsOf(const QList<Command>& commands) {
  QStringList groups;
  QHash<QString, int> rows;
  for (const Command& command : commands)
    if (!command.keys.isEmpty()) {
      if (!groups.contains(command.group))
        groups << command.group;
      ++rows[command.group];
    }
  const auto heightOf = [&rows](const QStringList& column) {
    int height = 0;
    for (const QString& group : column)
      height += rows[group] + 2; // its heading and the space above
    return height;
  };
  std::array<QStringList, 2> best{groups, {}};
  for (qsizetype left = 0; left < groups.size(); ++left) {
    const std::array<QStringList, 2> split{groups.mid(0, left), groups.mid(left)};
    if (std::max(heightOf(split[0]), heightOf(split[1])) < std::max(heightOf(best[0]), heightOf(best[1])))
      best = split;
  }
  return best;
}
} // namespace

ShortcutsSheet::ShortcutsSheet(const QList<Command>& commands, QWidget* window) : QDialog(window) {
  setWindowTitle(tr("Shortcuts"));
  auto* content = new QWidget;
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(24, kSpaceLarge, 24, 0);
  row->setSpacing(32);
  for (const QStringList& groups : columnsOf(commands)) {
    auto* keys = new QGridLayout;
    keys->setVerticalSpacing(5);
    keys->setHorizontalSpacing(kSpaceLarge);
    int line = 0;
    for (const QString& group : groups) {
      if (line > 0)
        keys->setRowMinimumHeight(line++, kSpaceSmall);
      keys->addWidget(makeLabel(group, "heading", content), line++, 0, 1, 2);
      for (const Command& command : commands)
        if (command.group == group && !command.keys.isEmpty()) {
          keys->addWidget(makeLabel(command.title, nullptr, content), line, 0);
          keys->addWidget(makeLabel(command.keys, "keycap", content), line++, 1, Qt::AlignRight);
        }
    }
    keys->setRowStretch(line, 1);
    row->addLayout(keys);
  }
  QScrollArea* area = makeScrollArea(content, this);
  QPushButton* close = makeButton(tr("Close"), nullptr, {}, this);
  close->setDefault(true);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, kSpaceLarge);
  column->setSpacing(kSpaceLarge);
  column->addWidget(area, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(24, 0, 24, 0);
  buttons->addStretch();
  buttons->addWidget(close);
  column->addLayout(buttons);
  const int scrollBar = area->verticalScrollBar()->sizeHint().width();
  const QSize wanted = content->sizeHint() + QSize(scrollBar, close->sizeHint().height() + 3 * kSpaceLarge);
  resize(wanted.boundedTo(window ? QSize(wanted.width(), window->height() - 2 * kSpaceLarge) : wanted));
}

} // namespace voxlab
