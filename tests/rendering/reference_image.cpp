// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rendering/reference_image.h"
#include "tests/support/paths.h"
#include <cstdlib>
#include <filesystem>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkPNGWriter.h>

namespace voxlab {

void writePng(const Picture& picture, const std::filesystem::path& file) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(picture.width, picture.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* out = static_cast<unsigned char*>(image->GetScalarPointer());
  for (int row = picture.height - 1; row >= 0; --row)
    for (int column = 0; column < picture.width; ++column)
      for (const int shift : {16, 8, 0})
        *out++ = static_cast<unsigned char>(picture.at(column, row) >> shift);
  std::filesystem::create_directories(file.parent_path());
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(file.c_str());
  writer->SetInputData(image);
  writer->Write();
}

namespace {

Picture readPng(const std::filesystem::path& file) {
  vtkNew<vtkPNGReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkImageData* image = reader->GetOutput();
  int size[3];
  image->GetDimensions(size);
  Picture picture{size[0], size[1], {}};
  const int channels = image->GetNumberOfScalarComponents();
  const auto* data = static_cast<const unsigned char*>(image->GetScalarPointer());
  for (int row = size[1] - 1; row >= 0; --row)
    for (int column = 0; column < size[0]; ++column) {
      const unsigned char* p = data + static_cast<std::size_t>(channels) * (static_cast<std::size_t>(row) * size[0] + column);
      const int green = channels > 2 ? 1 : 0, blue = channels > 2 ? 2 : 0;
      picture.pixels.push_back(0xff000000u | static_cast<std::uint32_t>(p[0]) << 16 | static_cast<std::uint32_t>(p[green]) << 8 | p[blue]);
    }
  return picture;
}

} // namespace

testing::AssertionResult matchesReference(const Picture& picture, const std::string& name, double tolerance) {
  const auto reference = testData() / "rendering" / (name + ".png");
  if (std::getenv("VOXLAB_WRITE_REFERENCES")) {
    writePng(picture, reference);
    return testing::AssertionSuccess();
  }
  if (!std::filesystem::exists(reference))
    return testing::AssertionFailure() << reference << " is missing";
  const Picture expected = readPng(reference);
  const auto left = binaryFolder() / "pictures" / (name + ".png");
  if (expected.width != picture.width || expected.height != picture.height) {
    writePng(picture, left);
    return testing::AssertionFailure() << "size " << picture.width << "×" << picture.height << ", expected " << expected.width << "×" << expected.height;
  }
  Picture difference = picture;
  double sum = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    std::uint32_t shown = 0xff000000u;
    for (const int shift : {16, 8, 0}) {
      const int d = std::abs(static_cast<int>(picture.pixels[i] >> shift & 0xff) - static_cast<int>(expected.pixels[i] >> shift & 0xff));
      sum += d;
      shown |= static_cast<std::uint32_t>(d) << shift;
    }
    difference.pixels[i] = shown;
  }
  const double mean = sum / (3.0 * static_cast<double>(picture.pixels.size()));
  if (mean <= tolerance)
    return testing::AssertionSuccess();
  writePng(picture, left);
  writePng(difference, binaryFolder() / "pictures" / (name + ".difference.png"));
  return testing::AssertionFailure() << "mean difference " << mean << " of 255, allowed " << tolerance << "; see " << left;
}

} // namespace voxlab
