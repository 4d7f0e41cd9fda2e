// SPDX-License-Identifier: GPL-3.0-or-later
// The header of the active layer's file in words: grid, orientation, affine, what the file says and what is odd about it.
#pragma once
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace voxlab {

class ViewerDocument;
class ViewerHoles;

class ViewerFilePanel : public QWidget {
  Q_OBJECT
public:
  ViewerFilePanel(ViewerDocument& document, ViewerHoles& holes, QWidget* parent = nullptr);
  QString text() const; // all of it, for the clipboard

signals:
  void otherFormRequested();                 // of the active layer
  void aloneRequested(const QString& file);  // of its DICOM series

private:
  void fill();
  void addRow(const QString& name, const QString& value, const char* role = nullptr);

  ViewerDocument& m_document;
  ViewerHoles& m_holes;
  QWidget* m_content = nullptr;
  QVBoxLayout* m_layout;
  QString m_text;
};

} // namespace voxlab
