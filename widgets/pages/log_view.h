// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's last words, with warnings above them. Follows its end as long as one has not scrolled away.
#pragma once
#include <QFrame>

class QLabel;
class QPlainTextEdit;

namespace voxlab {

class LogView : public QFrame {
  Q_OBJECT
public:
  explicit LogView(QWidget* parent = nullptr);
  void setText(const QString& text);
  void setWarnings(const QStringList& newest, quint64 count);
  QPlainTextEdit* edit() const { return m_edit; }

private:
  QPlainTextEdit* m_edit;
  QLabel* m_warning;
  QString m_shown;
};

} // namespace voxlab
