// SPDX-License-Identifier: GPL-3.0-or-later
// What every plot gives away of itself: a picture as SVG, PDF or PNG, on white in every theme, its numbers as CSV, both to the clipboard.
#pragma once
#include "core/base/result.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/theme_colours.h"
#include <QPixmap>
#include <QPointer>
#include <QWidget>

class QMenu;
class QToolButton;

namespace voxlab {

class PlotWidget : public QWidget {
  Q_OBJECT
public:
  explicit PlotWidget(QWidget* parent = nullptr) : QWidget(parent) {}
  void setExportName(const QString& name) { m_exportName = name; } // suggested file name, without suffix
  const QString& exportName() const { return m_exportName; }
  // The format is told by the suffix: .svg, .pdf, .png (twice the size on screen), .csv or .json (the numbers, not the picture).
  // Fails with Data when the file cannot be written, with Usage on another suffix.
  Status exportTo(const QString& file);
  // Where there may be more numbers than can be written between two frames: who writes them elsewhere, in the background. Without a file
  // they are for the clipboard. Pictures stay the plot's.
  using NumbersWriter = std::function<void(const QString& file, TableSource numbers)>;
  void setNumbersWriter(NumbersWriter writer) { m_numbersWriter = std::move(writer); }
  // As exportTo, but for numbers by the writer, if there is one, who says himself how it went.
  Status save(const QString& file);
  virtual bool showsData() const = 0;

public slots:
  virtual void resetView() = 0; // everything in sight

protected:
  static constexpr double kPngScale = 2;
  virtual QString tableText() const = 0; // the numbers as CSV
  virtual TableSource numbers() const { return tableFromCsv(tableText()); } // the same; may outlive the plot
  // Suffix: "svg", "pdf" or "png"; false when the file cannot be written.
  virtual bool writePicture(const QString& file, const QString& suffix) = 0;
  virtual QPixmap picture() = 0;
  virtual void addActions(QMenu&) {} // of its own, to the context menu
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override; // shows the menu's button while the pointer is on the plot

private:
  void showMenuButton();
  void openMenu(const QPoint& at);
  void saveInteractively();
  void copyNumbers();
  QPointer<QToolButton> m_menuButton; // made when the pointer first comes
  NumbersWriter m_numbersWriter;
  QString m_exportName = QStringLiteral("plot");
};

} // namespace voxlab
