// SPDX-License-Identifier: GPL-3.0-or-later
// The tools of the mask editor, in a row over the views.
#pragma once
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QToolButton;

namespace voxlab {

class ViewerDocument;
class ViewerMaskEditor;

class ViewerEditBar : public QWidget {
  Q_OBJECT
public:
  ViewerEditBar(ViewerDocument& document, ViewerMaskEditor& editor, QWidget* parent = nullptr);

  void scaleRadius(double factor); // of the brush

signals:
  void closed();
  void sampleRequested();       // save the mask and make volumes from it
  void changedSampleRequested(); // likewise, when the settings are changed

private:
  void fillMasks();
  void chooseMask(int index);
  void fillValues();
  void takeTool();

  ViewerDocument& m_document;
  ViewerMaskEditor& m_editor;
  QToolButton *m_brush, *m_eraser;
  QComboBox *m_mask, *m_value, *m_shape;
  QDoubleSpinBox* m_radius;
};

} // namespace voxlab
