// SPDX-License-Identifier: GPL-3.0-or-later
// A contact sheet: the same slice of every sample. Samples of equal names stand in a row, one column a training step, so a
// row shows how one seed came into being; where there is one row, or no step is known, they run on over the width of the page.
#pragma once
#include "rendering/slice_scene.h"
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/pages/viewer_sheet_still.h"
#include <QImage>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QSlider;

namespace voxlab {

class ElidedLabel;

class ViewerSheet : public QWidget {
  Q_OBJECT
public:
  explicit ViewerSheet(QWidget* parent = nullptr);
  // Reads them one after another in the background; cells fill as they come.
  void setSamples(const QString& run, const QList<ViewerSample>& samples);
  QString title() const; // which names the run
  void addSample(const ViewerSample& sample);
  int loadedCount() const;
  int rowCount() const { return m_rowCount; }
  int columnCount() const { return m_columnCount; }
  QImage picture() const; // the whole sheet, as it is painted
  void save(const QString& path, int scale); // the same, scale times as large; saved() tells the end
  void choose(const QString& path); // for comparing, or no more
  bool compareChosen(); // false where less than two are chosen
  bool isPainted() const { return !m_painter.isBusy(); }

signals:
  void openRequested(const QString& path);
  void compareRequested(const QStringList& paths); // those that are chosen, oldest first
  void closed();
  void loaded(int count);
  void saved(const QString& path, bool isWritten);
  void copied();
  void painted(); // all that is loaded, as the controls ask for it

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  struct Cell {
    ViewerSample sample;
    QStringList caption;
    int row = 0, column = 0;
    std::shared_ptr<const Volume> volume; // null until read; reduced where large
    QString problem;
    bool isChosen = false;
    QImage picture;      // the one before until that of the wanted slice is painted
    quint64 painted = 0; // m_wanted when it was
  };
  class Board;
  void arrange();
  bool placeCells(int edge, int width, int height);
  QRect boxOf(const Cell& cell) const;
  SheetCell cellFor(const Cell& cell) const;
  CellSlice slice() const;
  void readMissing();
  void fill(const QString& path, const std::shared_ptr<const Volume>& volume, const QString& problem, DisplayRange range);
  QStringList chosenPaths() const;
  void redraw();
  void repaintStaleCells();
  SliceAxis axis() const;

  std::vector<Cell> m_cells;
  int m_rowCount = 0, m_columnCount = 0, m_header = 0; // m_header: pixels of a caption
  bool m_isSized = false;                              // by the user
  quint64 m_wanted = 1; // counts the slices and sizes that were asked for
  DisplayRange m_range;
  bool m_hasRange = false;
  Board* m_board;
  QComboBox* m_axis;
  QSlider *m_slice, *m_size;
  QLabel* m_text;
  ElidedLabel* m_title;
  QScrollArea* m_area;
  QPushButton* m_compare;
  NewestWork m_reader, m_painter;
};

} // namespace voxlab
