// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses two image layers and how they are compared; says how far apart they are.
#pragma once
#include "rendering/slice_scene.h"
#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace voxlab {

class ViewerDocument;
struct ViewerStatistics;

class ViewerCompareBar : public QWidget {
  Q_OBJECT
public:
  explicit ViewerCompareBar(ViewerDocument& document, QWidget* parent = nullptr);
  void start(CompareMode mode); // None: side by side
  void end();                   // the document shows its layers again
  CompareMode mode() const;
  int first() const;  // layer indices; −1 without layers
  int second() const;
  QStringList names() const; // of the two, short; empty texts without layers
  bool measuresInsideLabels() const;
  void setFigures(const QString& text, const QString& details);
  void setStatistics(const ViewerStatistics& statistics);

signals:
  void compared(int first, int second, voxlab::CompareMode mode); // also after a change
  void closed();
  void detailsRequested(); // all figures, and the joint histogram

private:
  void fillLayers();
  void apply();
  void showReach();  // the colours' reach that the slider asks for
  void nameParts();  // which is subtracted from which
  void linkRanges(); // the range that was changed goes to the other volume too

  ViewerDocument& m_document;
  QComboBox *m_first, *m_second, *m_mode;
  QCheckBox *m_oneRange, *m_inside;
  QSlider* m_position;
  QLabel *m_between, *m_figures, *m_scales;
  QTimer m_flicker;
  DisplayRange m_range; // of both, while linked
  double m_reach = 1;   // of the difference's colours with the slider in the middle
  bool m_linking = false;
};

} // namespace voxlab
