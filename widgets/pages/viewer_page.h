// SPDX-License-Identifier: GPL-3.0-or-later
// The page that shows volumes: slices and 3D, layers, labels, samples of a run, comparison.
#pragma once
#include "rendering/space.h"
#include "widgets/pages/message_kind.h"
#include "widgets/pages/viewer_loader.h"
#include "widgets/pages/viewer_samples_panel.h"
#include <QKeySequence>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <memory>

namespace voxlab {

struct DicomSeries;
enum class EditsFate;
struct GridStill;
struct Volume;
class ViewerDocument;
class ViewerGrid;
struct MovieOptions;

enum class SampleStart { AtOnce, AfterChanges };                // of the settings, by the user
enum class Landing { Nowhere, Beside, Waiting, WhereNobodyLooks }; // of a sample: see ViewerPage::addBesideMask

class ViewerPage : public QWidget {
  Q_OBJECT
public:
  explicit ViewerPage(QWidget* parent = nullptr);
  ~ViewerPage() override;

  // Folds the panel away until it is switched off; whoever shows the page folds what stands around it.
  void setOnlyPictures(bool on);

  // Files are read in the background; the newest request wins. Labels are laid over an image that is open already.
  void openFile(const QString& path);
  void openFiles(const QStringList& paths); // the first replaces, the others go on top
  void addFile(const QString& path);        // on top of what is open
  void openVolume(std::shared_ptr<const Volume> volume, const QString& title);
  // The page shows them side by side, the first as the reference.
  void compareFiles(const QStringList& paths);
  void showDifference(const QString& first, const QString& second); // of two files, signed: second − first
  // A volume made from the mask that was last handed on for sampling: laid under the mask, and side by side with the image where
  // there is one. Nowhere, and nothing happens, when that mask is not open any more. With WhereNobodyLooks it is kept Waiting while
  // the user looks at the sheet, has begun to compare or has painted on since.
  Landing addBesideMask(const QString& path, Landing wanted = Landing::Beside);
  void chooseFile(); // dialog
  void chooseFolder(); // dialog: with DICOM files
  void openAlone(const QString& path); // one file of a DICOM series
  void closeLayer(); // the active one

  // False when a mask was painted on, not saved, and the user wants to keep it, or to save it and that fails. To be asked before it
  // goes; saving is done when it answers.
  bool mayLoseEdits();
  void setAskBeforeLosing(std::function<EditsFate(const QStringList& masks)> ask); // instead of a dialog
  void setAskWhereToSave(std::function<QString(const QString& suggested)> ask);    // likewise

  // The samples of the run that is selected. A new sample never takes the view.
  void setRunSamples(const QString& run, const QList<ViewerSample>& samples);
  void addSample(const ViewerSample& sample);
  void addSample(const QString& path, const QString& title);
  QString sheetTitle() const; // of the contact sheet, where it is in place of the views
  bool isSheetOfRun() const;  // of the run that is selected now
  // Where own rendering presets are kept; with the program's data unless told otherwise.
  void setPresetFolder(const QString& folder);
  QStringList recentFiles() const;

  // Saves what the views show; screenshotFinished tells the end, and the page the reason where it cannot be written.
  enum class Annotations { Off, On };
  void saveScreenshot(const QString& path, int scale = 1, Annotations annotations = Annotations::On);

  // statusMessage or problem() tells the end.
  void recordMovie(const MovieOptions& options);

  ViewerDocument& document() const;
  ViewerGrid& grid() const;
  bool isLoading() const;
  bool isSettled() const; // nothing that will be shown is still being read or made
  QString notices() const; // the sentences that the page shows, the newest first; empty if there are none
  QString problem() const; // those of them that tell of failures
  // All that can be done here, with texts, shortcuts and the property "group" (a heading), for a menu or a command palette.
  QList<QAction*> commands() const;

signals:
  void statusMessage(const QString& text);
  void titleChanged(const QString& title);
  void loadFinished(); // a requested volume is shown, or failed
  void screenshotFinished(bool saved);
  // A mask that was edited here and saved: sample from it, with the settings of the sample that is shown (empty: none is).
  void sampleFromMaskRequested(const QString& maskPath, const QString& likeSample, voxlab::SampleStart start);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  struct Parts;
  void build();
  void buildActions();
  void buildStrip();
  void buildPanelActions();
  void buildLayerActions();
  QAction* addCommand(const char* icon, const QString& text, const QKeySequence& keys, const std::function<void(bool)>& run);
  void connectParts();
  void onLoaded(const ViewerVolume& volume, ViewerLoader::Placement placement);
  void openNext();
  void takeFocus();
  void showProblem(const QString& sentence);
  void say(MessageKind kind, const QString& sentence);
  void showNotices();
  void showReading();
  void remember(const QString& path);
  void takeDocument();
  void useOtherForm();
  void openSeries(const DicomSeries& series, const QString& folder, ViewerLoader::Placement placement);
  void fitBars();
  void chooseScreenshot();
  void copyPicture();
  void whenStill(int scale, Annotations annotations, const std::function<void(const GridStill&)>& then);
  void saveNifti();
  bool askAndSave(int layer, const std::function<void(bool)>& then);
  void saveVolume(const ViewerVolume& source, const QString& path, const std::function<void(bool)>& then);
  bool saveAndWait(const std::shared_ptr<const Volume>& mask);
  bool mayLose(const std::vector<std::shared_ptr<const Volume>>& masks);
  void showRecording(int frames, int of);
  void changeKind(int layer);
  void makeSurfaces(bool wanted);
  void goToLabel(qint64 value);
  void askWhereTo();
  void goToSurface(qint64 value, const Vec3d& world); // where it was clicked on
  void chooseSeries(const QString& folder, const std::vector<DicomSeries>& series);
  void toggleEditing();
  void sampleFromMask(SampleStart start);
  QString conditionToShow() const;
  void showCondition();
  void showViews(); // in place of the sheet
  void restoreSettings();
  void saveSettings();
  void rememberRanges();
  void showViewMenu(const QPoint& globalPosition);
  std::unique_ptr<Parts> m;
};

} // namespace voxlab
