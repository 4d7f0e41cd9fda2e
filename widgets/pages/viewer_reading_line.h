// SPDX-License-Identifier: GPL-3.0-or-later
// The line under the views that says what lies under the pointer. In a narrow window names become shorter before a value is left out;
// the tip and what is copied have one volume a row.
#pragma once
#include "widgets/pages/viewer_reading.h"
#include <QLabel>

namespace voxlab {

class ViewerReadingLine : public QLabel {
  Q_OBJECT
public:
  explicit ViewerReadingLine(QWidget* parent = nullptr);
  void setReading(const ViewerReading& reading);
  void copy() const; // to the clipboard, as a table

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  void fit();

  ViewerReading m_reading;
};

} // namespace voxlab
