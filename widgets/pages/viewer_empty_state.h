// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows while nothing is open: the volumes of the chosen run, how to open others, and what was open lately.
#pragma once
#include "widgets/pages/viewer_samples_panel.h"
#include <QStringList>
#include <QWidget>
#include <functional>

class QLabel;
class QVBoxLayout;

namespace voxlab {

class ViewerEmptyState : public QWidget {
  Q_OBJECT
public:
  explicit ViewerEmptyState(QWidget* parent = nullptr);
  void setRecentFiles(const QStringList& paths);
  // Those that can be opened, oldest first, and how many more the run drew whose files are not here.
  void setSamples(const QString& run, const QList<ViewerSample>& samples, int leftOut, int missing);

signals:
  void chooseRequested();
  void folderRequested(); // with DICOM files
  void openRequested(const QString& path);
  void compareRequested(const QStringList& paths);
  void samplesRequested(); // the whole list

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void addLink(QVBoxLayout* column, const QString& text, const QString& toolTip, const std::function<void()>& open);

  QLabel *m_title, *m_help;
  QWidget *m_samples, *m_recent;
  QVBoxLayout *m_samplesLayout, *m_recentLayout;
};

} // namespace voxlab
