// SPDX-License-Identifier: GPL-3.0-or-later
// The part of VtkView that shows frames through OpenGL, for displays that a GPU drives.
#pragma once
#include <QImage>
#include <QOpenGLWidget>
#include <functional>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkSmartPointer.h>

class QSurface;

namespace voxlab {

class VtkGlSurface : public QOpenGLWidget {
  Q_OBJECT
public:
  explicit VtkGlSurface(QWidget* parent);
  ~VtkGlSurface() override;
  vtkGenericOpenGLRenderWindow* renderWindow() const { return m_window; }
  QImage pictureAt(QSize pixels); // null before the first show
  std::function<void()> beforeFrame;
  std::function<void(double duration_ms, bool aborted)> afterFrame;
  std::function<void()> initialised;

protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;

private:
  void answerContextEvent(unsigned long event, void* answered);
  void release();
  void syncSize();

  vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window = vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New();
  QSurface* m_surface = nullptr;
  bool m_painting = false;
};

} // namespace voxlab
