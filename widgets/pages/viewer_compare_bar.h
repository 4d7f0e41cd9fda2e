// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses which image layers are compared and how; says how far apart they are.
#pragma once
#include "rendering/slice_scene.h"
#include "widgets/pages/viewer_compare_arrangement.h"
#include "widgets/pages/viewer_compare_choice.h"
#include "widgets/pages/viewer_range_link.h"
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QSlider;
class QToolButton;

namespace voxlab {

class ViewerDocument;
struct ViewerStatistics;

class ViewerCompareBar : public QWidget {
  Q_OBJECT
public:
  explicit ViewerCompareBar(ViewerDocument& document, QWidget* parent = nullptr);
  enum class Form { AsWide, Short }; // Short: what is needed less is behind a button, as in a narrow bar
  void setForm(Form form);
  void start(CompareMode mode); // None: side by side
  void end();                   // the document shows its layers again, each with its own range
  CompareMode mode() const;
  const ViewerCompareChoice& choice() const { return m_choice; }
  bool isSideBySide() const; // each volume, or each difference, in views of its own
  QStringList names() const; // of the reference and the second, short; empty texts without layers
  bool measuresInsideLabels() const;
  std::vector<DisplayRange> scales() const; // as the choice's members; empty: they are compared as they are
  void swap(); // the reference and the second
  void choose(int second); // of several, whose figures are shown
  void setPlanes(ComparePlanes planes); // that are seen
  void nextPlanes();
  void showMembers(); // opens the menu
  // How far the colours of the differences go, measured; 0: nothing differs. Once for the layers that are compared: stepping through
  // time points or a sampler's steps does not change the colours' meaning.
  void decideReach(double reach);
  void togglePause(); // of flicker
  void setFigures(const QString& text, const QString& details);
  void setStatistics(const ViewerStatistics& statistics);

protected:
  void resizeEvent(QResizeEvent* event) override;

signals:
  void compared(); // also after a change
  void planesChosen(voxlab::ComparePlanes planes);
  void closed();
  void detailsRequested(); // all figures, and the joint histogram
  void said(const QString& words);

private:
  void buildMembers();
  void connectParts();
  void takeLayers();
  void fillLayers();
  void fillMembers();
  void takePart(int layer, bool wanted);
  void apply();
  void linkRanges(); // where they are on one scale, unless the user decided
  void showReach();  // the colours' reach that the slider asks for
  void takeForm();
  void showControls(); // in a narrow place the less needed ones when they are asked for
  void nameParts();  // which is subtracted from which
  void namePosition();
  void showNext();   // of flicker

  ViewerDocument& m_document;
  ViewerCompareChoice m_choice;
  ViewerRangeLink m_ranges;
  QComboBox *m_first, *m_second, *m_mode, *m_planes;
  QPushButton* m_members;
  QToolButton* m_swap;
  QMenu* m_menu;
  QCheckBox *m_oneRange, *m_oneScale, *m_inside;
  QSlider* m_position;
  QToolButton *m_pause, *m_more;
  QWidgetList m_lessNeeded;
  Form m_form = Form::AsWide;
  bool m_isNarrow = false;
  QLabel *m_reference, *m_between, *m_positionName, *m_figures, *m_scales;
  QTimer m_flicker;
  std::vector<int> m_linked; // the members that it was decided for whether they share a range
  std::vector<std::uint64_t> m_reachOf; // ids
  std::optional<double> m_reach; // of the differences' colours with the slider in the middle; nullopt until it is measured
};

} // namespace voxlab
