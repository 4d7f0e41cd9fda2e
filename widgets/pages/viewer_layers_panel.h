// SPDX-License-Identifier: GPL-3.0-or-later
// The list of layers, topmost first, and what can be set for the active one.
#pragma once
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace voxlab {

class ViewerDocument;
class ViewerHistogram;

class ViewerLayersPanel : public QWidget {
  Q_OBJECT
public:
  explicit ViewerLayersPanel(ViewerDocument& document, QWidget* parent = nullptr);
  void autoRange(); // of the active layer, by percentiles
  void toggleRangeLock();
  void showValues(const QStringList& ofLayers); // under the pointer, beside the names

signals:
  void addRequested();
  void removeRequested(); // the active layer
  void kindChangeRequested(int layer); // image ↔ labels: the voxels must be measured anew
  void labelsShown(bool shown);

private:
  QWidget* makeImageControls();
  QWidget* makeLabelControls();
  void fillList();
  void takeActive();
  void takeAppearance();
  void showMenu(const QPoint& at);
  int layerOfRow(int row) const;

  ViewerDocument& m_document;
  QListWidget* m_list;
  QStackedWidget* m_controls;
  ViewerHistogram* m_histogram;
  QDoubleSpinBox *m_low, *m_high;
  QComboBox *m_colours, *m_style;
  QCheckBox *m_below, *m_lock;
  QSlider *m_imageOpacity, *m_labelOpacity;
  QToolButton *m_remove, *m_up, *m_down;
  bool m_filling = false;
};

} // namespace voxlab
