// SPDX-License-Identifier: GPL-3.0-or-later
// What is in the chosen folders: a slice of the first pair, how many pairs, and everything the preflight found.
#pragma once
#include "widgets/models/dataset_report.h"
#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace voxlab {

class DatasetCard : public QFrame {
  Q_OBJECT
public:
  explicit DatasetCard(QWidget* parent = nullptr);

  void showHint();     // no folder chosen yet
  void showChecking();
  void showReport(const DatasetReport& report);
  bool isChecking() const { return m_checking; }

signals:
  void checkAgainClicked();
  void cancelClicked();

private:
  void showPicture(const QString& image, const QString& mask);
  void showFindings(const DatasetReport& report);
  void showState(const QString& icon, const QString& title, const QString& detail);

  QLabel* m_picture;
  QLabel* m_icon;
  QLabel* m_title;
  QLabel* m_detail;
  QProgressBar* m_busy;
  QPushButton* m_again;
  QPushButton* m_cancel;
  QTreeWidget* m_findings;
  bool m_checking = false;
  int m_pictureRequest = 0; // the newest wins
};

} // namespace voxlab
