// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the program can do, found by typing (Ctrl+K); and the same list as a sheet of shortcuts (?).
#pragma once
#include <QDialog>
#include <QKeySequence>
#include <functional>

class QLabel;
class QLineEdit;
class QListWidget;

namespace voxlab {

struct Command {
  QString title, group;  // "Pause the selected job", "Jobs"
  QString icon;          // a name for themedIcon(); may be empty
  QString keys;          // as shown: "Space", "Ctrl+N"
  std::function<void()> run;
  bool isEnabled = true;
};

class CommandPalette : public QDialog {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget* window);
  void open(const QList<Command>& commands);
  int shownCount() const;
  QString sentence() const; // what stands in place of the list where nothing has the words that were typed; empty where something has

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void filter(const QString& text);
  void runCurrent();

  QList<Command> m_commands;
  QLineEdit* m_edit;
  QListWidget* m_list;
  QLabel* m_none;
};

class ShortcutsSheet : public QDialog {
  Q_OBJECT
public:
  // Those commands that have keys, by group.
  ShortcutsSheet(const QList<Command>& commands, QWidget* window);
};

} // namespace voxlab
