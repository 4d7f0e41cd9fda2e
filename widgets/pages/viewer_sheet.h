// SPDX-License-Identifier: GPL-3.0-or-later
// A contact sheet: the same slice of every sample. Samples of equal names stand in a row, one column a training step, so a
// row shows how one seed came into being.
#pragma once
#include "rendering/slice_scene.h"
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_samples_panel.h"
#include <QImage>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace voxlab {

class ViewerSheet : public QWidget {
  Q_OBJECT
public:
  explicit ViewerSheet(QWidget* parent = nullptr);
  // Reads them one after another in the background; cells fill as they come.
  void setSamples(const QList<ViewerSample>& samples);
  void addSample(const ViewerSample& sample);
  int loadedCount() const;
  int rowCount() const { return static_cast<int>(m_rows.size()); }
  int columnCount() const { return static_cast<int>(m_columns.size()); }
  QImage picture() const; // the whole sheet, as it is painted, but for what is chosen
  void save(const QString& path); // the same; saved() tells the end
  void choose(const QString& path); // for comparing, or no more
  bool compareChosen(); // false where less than two are chosen
  bool isPainted() const { return !m_painter.isBusy(); }

signals:
  void openRequested(const QString& path);
  void compareRequested(const QStringList& paths); // those that are chosen, oldest first
  void closed();
  void loaded(int count);
  void saved(const QString& path, bool isWritten);
  void painted(); // all that is loaded, as the controls ask for it

private:
  struct Cell {
    ViewerSample sample;
    int row = 0, column = 0;
    std::shared_ptr<const Volume> volume; // null until read; reduced where large
    QString problem;
    bool isChosen = false;
    QImage picture;      // the one before until that of the wanted slice is painted
    quint64 painted = 0; // m_wanted when it was
  };
  class Board;
  void place(Cell& cell);
  void readMissing();
  void fill(const QString& path, const std::shared_ptr<const Volume>& volume, const QString& problem, DisplayRange range);
  QStringList chosenPaths() const;
  void redraw();
  void repaintStaleCells();
  SliceAxis axis() const;

  std::vector<Cell> m_cells;
  QStringList m_rows, m_columns;
  quint64 m_wanted = 1; // counts the slices and sizes that were asked for
  DisplayRange m_range;
  bool m_hasRange = false;
  Board* m_board;
  QComboBox* m_axis;
  QSlider *m_slice, *m_size;
  QLabel* m_text;
  QPushButton* m_compare;
  NewestWork m_reader, m_painter;
};

} // namespace voxlab
