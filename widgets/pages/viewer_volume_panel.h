// SPDX-License-Identifier: GPL-3.0-or-later
// What the 3D view shows: preset, curve, light, slice planes, label surfaces, cropping, turntable, standard directions.
#pragma once
#include "widgets/pages/viewer_volume_view.h"
#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace voxlab {

class ViewerCurveEditor;
class ViewerDocument;

class ViewerVolumePanel : public QWidget {
  Q_OBJECT
public:
  ViewerVolumePanel(ViewerDocument& document, ViewerVolumeView& view, QWidget* parent = nullptr);
  void applyTransfer(const Transfer& transfer);
  // Own presets lie as JSON files in this folder.
  void setPresetFolder(const QString& folder);
  void savePreset(const QString& title); // of the present curve; presetSaved() or failed() tells the end
  QStringList presetTitles() const;
  const Transfer& transfer() const { return m_view.transfer(); }
  void choosePreset(const QString& title);
  int presetIndex() const;
  void askAndSave(); // the curve, under a name that is asked for
  bool deletePreset(int index); // one of the user's own, and its file; false for those of the program
  struct Switches {
    QCheckBox *volume, *planes, *surfaces, *crop, *cut, *light, *turn;
  };
  Switches switches() const { return {m_volume, m_planes, m_surfaces, m_crop, m_cut, m_light, m_turn}; }

signals:
  void presetSaved(const QString& title);
  void failed(const QString& sentence);
  void surfacesWanted(bool wanted);
  void turntableWanted(bool wanted);

private:
  QWidget* makeCutRow();
  void takeCuts();
  void fillPresets();
  void askAndDelete();
  void takeDocument();
  void showLabelsAlone();
  void suitSign();

  ViewerDocument& m_document;
  ViewerVolumeView& m_view;
  QComboBox* m_preset;
  ViewerCurveEditor* m_curve;
  QCheckBox *m_light, *m_volume, *m_planes, *m_surfaces, *m_crop, *m_cut, *m_turn;
  QWidget* m_cutRow;
  QSlider* m_edges;
  QLabel *m_renderer, *m_reduced;
  QString m_folder;
  QToolButton* m_delete;
  std::vector<Transfer> m_presets;
  QStringList m_files; // as m_presets; empty for those of the program
  bool m_labelsAlone = false, m_ownSurfaces = false; // surfaces that came by themselves
  bool m_isSigned = false;  // the image
  Transfer m_beforeSigned; // what images without a sign are seen by
};

} // namespace voxlab
