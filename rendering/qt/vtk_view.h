// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a VTK render window in a Qt 6 window; Debian's own VTK widget is for Qt 5. Where a GPU drives the display, frames go
// there through OpenGL. With a software renderer they are drawn off the screen and painted as pictures: a window that holds
// an OpenGL widget is put together by OpenGL as a whole, which would slow everything else in it down (measured: three times).
#pragma once
#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>

class QSurfaceFormat;
class vtkRenderWindow;

namespace voxlab {

class VtkView : public QWidget {
  Q_OBJECT
public:
  explicit VtkView(QWidget* parent = nullptr);
  ~VtkView() override;

  // False where windows cannot hold OpenGL (platforms offscreen, minimal …): a VtkView must not be made there.
  static bool isPossible();
  // OpenGL's renderer, "llvmpipe (…)" say; asked once. Empty where there is none.
  static QString openGlRenderer();
  // To be set as the default before QApplication is made, so that all windows share it.
  static QSurfaceFormat defaultFormat();

  vtkRenderWindow* renderWindow() const;
  // Called before each frame.
  void setPrepare(std::function<void()> prepare);
  // While Abortable, a moving pointer over the view ends the frame being drawn; the picture before it stays.
  enum class Frames { Whole, Abortable };
  void setFrames(Frames frames);
  void redraw();                    // soon, from the event loop; several calls make one frame
  QImage pictureAt(QSize pixels);   // draws a frame of that many pixels now; null before the first show
  static QImage pixelsOf(vtkRenderWindow* window); // what was drawn last

signals:
  void initialised();
  void rendered(double duration_ms);
  void aborted();

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Parts;
  void drawPicture();
  void finishFrame(double duration_ms, bool wasAborted);
  std::unique_ptr<Parts> m;
};

} // namespace voxlab
