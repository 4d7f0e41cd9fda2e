# SPDX-License-Identifier: Apache-2.0
# Every outside library that the rooms use, with the least version that is supported.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Minizip REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tl-expected REQUIRED)
# Debian's ITK and VTK name programs of packages that are not needed here, and say so at length.
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
find_package(ITK 5.2 REQUIRED COMPONENTS ITKCommon ITKIOImageBase ITKIONRRD ITKGDCM)
unset(CMAKE_MESSAGE_LOG_LEVEL)

if(WITH_STUDIO)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Concurrent Core DBus Gui Widgets Network OpenGL OpenGLWidgets PrintSupport Svg)
  if(WITH_TESTS)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  endif()
  find_package(QCustomPlotQt6 REQUIRED)
  find_package(OpenGL REQUIRED)
  set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
  find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel CommonExecutionModel CommonColor FiltersCore FiltersGeneral
    FiltersModeling FiltersSources ImagingCore ImagingColor ImagingGeneral ImagingHybrid ImagingMath ImagingStencil InteractionStyle
    InteractionWidgets IOImage RenderingAnnotation RenderingCore RenderingFreeType RenderingImage RenderingOpenGL2 RenderingVolume
    RenderingVolumeOpenGL2)
  unset(CMAKE_MESSAGE_LOG_LEVEL)
endif()
if(WITH_WORKER)
  find_package(CLI11 REQUIRED)
  find_package(spdlog REQUIRED)
  include(Torch)
endif()
if(WITH_TESTS)
  find_package(GTest REQUIRED)
endif()
