// SPDX-License-Identifier: GPL-3.0-or-later
// Stands where volumes are shown on platforms that cannot draw 3D (Qt's "offscreen"): names what was opened.
#pragma once
#include <QStringList>
#include <QWidget>

class QLabel;

namespace voxlab {

class ViewerPlaceholder : public QWidget {
  Q_OBJECT
public:
  explicit ViewerPlaceholder(QWidget* parent = nullptr);
  void openFile(const QString& path);
  void addSample(const QString& path, const QString& title);
  QString shownFile() const { return m_file; }

private:
  void tell();
  QLabel* m_text;
  QString m_file;
  QStringList m_samples;
};

} // namespace voxlab
