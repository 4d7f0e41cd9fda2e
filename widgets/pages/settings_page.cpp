// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/settings_page.h"
#include "widgets/pages/field_editors.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include <QComboBox>
#include <QFileDialog>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kWidth = 720, kTitleWidth = 152;
}

SettingsPage::SettingsPage(QWidget* parent) : QWidget(parent) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(24, kSpaceLarge, 24, 24);
  column->setSpacing(kSpaceLarge);
  column->addWidget(makeLabel(tr("Settings"), "title"));
  QFrame* places = makeCard(tr("Places"));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kSpaceLarge);
  grid->setVerticalSpacing(kSpaceSmall);
  grid->setColumnMinimumWidth(0, kTitleWidth);
  grid->setColumnStretch(1, 1);
  m_runs = addPath(grid, 0, tr("Runs folder"), tr("Where jobs keep everything they make. Runs found there appear in the list."), PathKind::Folder);
  m_worker = addPath(grid, 3, tr("Worker program"), tr("Empty: voxlab-worker beside this program, or on the PATH."), PathKind::File);
  m_workerState = makeWrappedLabel({}, "help");
  grid->addWidget(m_workerState, 6, 1);
  layoutOf(places)->addLayout(grid);
  places->setMaximumWidth(kWidth);
  column->addWidget(places);

  QFrame* look = makeCard(tr("Look"));
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceLarge);
  QLabel* title = makeLabel(tr("Theme"));
  title->setFixedWidth(kTitleWidth);
  m_theme = new QComboBox;
  m_theme->addItem(tr("As the system"), QStringLiteral("system"));
  m_theme->addItem(tr("Light"), QStringLiteral("light"));
  m_theme->addItem(tr("Dark"), QStringLiteral("dark"));
  m_theme->setFixedWidth(240);
  title->setBuddy(m_theme);
  row->addWidget(title);
  row->addWidget(m_theme);
  row->addStretch();
  layoutOf(look)->addLayout(row);
  look->setMaximumWidth(kWidth);
  column->addWidget(look);
  column->addStretch();
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(makeScrollArea(content, this));
  connect(m_theme, &QComboBox::activated, this, [this] { emit changed(values()); });
}

QLineEdit* SettingsPage::addPath(QGridLayout* grid, int row, const QString& title, const QString& help, PathKind kind) {
  QLabel* name = makeLabel(title);
  auto* edit = new QLineEdit;
  edit->setAccessibleDescription(help);
  name->setBuddy(edit);
  QToolButton* browse = makeToolButton(QStringLiteral("folder"), tr("Browse…"));
  grid->addWidget(name, row, 0);
  grid->addWidget(edit, row, 1);
  grid->addWidget(browse, row, 2);
  grid->addWidget(makeWrappedLabel(help, "help"), row + 1, 1);
  grid->setRowMinimumHeight(row + 2, kSpaceSmall);
  connect(edit, &QLineEdit::editingFinished, this, [this] { emit changed(values()); });
  connect(browse, &QToolButton::clicked, this, [this, edit, kind] {
    const QString path = kind == PathKind::Folder ? QFileDialog::getExistingDirectory(this, tr("Choose a folder"), edit->text())
                                                  : QFileDialog::getOpenFileName(this, tr("Choose a program"), edit->text());
    if (path.isEmpty())
      return;
    edit->setText(path);
    emit changed(values());
  });
  return edit;
}

void SettingsPage::setValues(const SettingsValues& values) {
  m_runs->setText(values.runsFolder);
  m_worker->setText(values.workerPath);
  m_theme->setCurrentIndex(std::max(0, m_theme->findData(values.theme)));
}

SettingsValues SettingsPage::values() const { return {m_runs->text().trimmed(), m_worker->text().trimmed(), m_theme->currentData().toString()}; }

void SettingsPage::setWorkerState(const QString& words) { m_workerState->setText(words); }

} // namespace voxlab
