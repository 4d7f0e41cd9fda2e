// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a VTK render window in a Qt 6 window. It draws when Qt asks it to and leaves the mouse to whoever watches its
// events; Debian's own VTK widget is for Qt 5.
#pragma once
#include <QImage>
#include <QOpenGLWidget>
#include <functional>
#include <memory>

class vtkRenderWindow;

namespace voxlab {

class VtkView : public QOpenGLWidget {
  Q_OBJECT
public:
  explicit VtkView(QWidget* parent = nullptr);
  ~VtkView() override;

  // False on Qt platforms whose windows cannot hold OpenGL (offscreen, minimal …): showing a VtkView there would crash.
  static bool isPossible();
  // To be set as the default before QApplication is made, so that all windows share it.
  static QSurfaceFormat defaultFormat();

  vtkRenderWindow* renderWindow() const;
  // The OpenGL renderer's name ("llvmpipe (…)"); empty before the first show.
  QString openGlRenderer() const;
  // Called before each frame.
  void setPrepare(std::function<void()> prepare);
  // While set, a moving pointer over the view ends the frame being drawn; the picture before it stays.
  enum class Frames { Whole, Abortable };
  void setFrames(Frames frames);
  // Draws a frame of that many pixels now; null before the first show.
  QImage pictureAt(QSize pixels);

signals:
  void initialised();
  void rendered(double duration_ms);
  void aborted();

protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;

private:
  struct Parts;
  void release();
  void syncSize();
  void checkAbort();
  std::unique_ptr<Parts> m;
};

} // namespace voxlab
