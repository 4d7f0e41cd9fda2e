// SPDX-License-Identifier: Apache-2.0
// Preprocessing, pairing and export against what the published programs make of the same files. Everything is read from
// data.json and the folder's listing: other cases, sizes, tags and counts serve as well.
#include "core/imaging/dataset_index.h"
#include "core/imaging/geometry.h"
#include "core/imaging/published.h"
#include "core/imaging/volume_io.h"
#include "tests/support/parity.h"
#include "tests/support/parity_fill.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace voxlab;
namespace fs = std::filesystem;

namespace {
constexpr double kScaledTolerance = 1e-12, kTensorTolerance = 1e-6, kBratsTolerance = 2e-7, kAffineTolerance = 1e-4;

// The golden arrays ending in _XYZ have Z fastest; volumes have X fastest.
std::vector<double> xFastest(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  std::vector<double> out(values.size());
  const auto [nx, ny, nz] = std::tuple(shape.at(0), shape.at(1), shape.at(2));
  for (std::int64_t x = 0; x < nx; ++x)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t z = 0; z < nz; ++z)
        out[static_cast<std::size_t>(x + nx * (y + ny * z))] = values[static_cast<std::size_t>(z + nz * (y + ny * x))];
  return out;
}

template <class T> std::vector<double> doubles(const std::vector<T>& values) { return {values.begin(), values.end()}; }

Affine affineFrom(const std::vector<double>& values) {
  Affine out;
  for (std::size_t n = 0; n < 16; ++n)
    out[n / 4][n % 4] = values.at(n);
  return out;
}
Affine affineFrom(const Json& json) {
  std::vector<double> values;
  for (const auto& row : json)
    for (const auto& value : row)
      values.push_back(value.get<double>());
  return affineFrom(values);
}
double affineDifference(const Affine& a, const Affine& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
  return largest;
}
GridSize sizeFrom(const Json& json) { return json.get<GridSize>(); }

// The reference leaves -1 in the background of segmentations; this program writes 0 there.
std::vector<double> withZeroBackground(std::vector<double> labels) {
  for (double& label : labels)
    label = label == -1 ? 0 : label;
  return labels;
}

template <class T> T taken(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

class DataParity {
public:
  explicit DataParity(ParityTally& tally)
      : m_tally(tally), m_folder(parityFolder() / "data"), m_json(parityJson(m_folder / "data.json")) {}

  void wholeHead(const SafetensorsReader& golden) {
    const Json& section = m_json.at("whole_head");
    PreprocessSettings settings;
    settings.recipe = "published";
    settings.size = {section.at("input_size"), section.at("input_size"), section.at("depth_size")};
    settings.labels = {1, 2};
    for (const auto& entry : section.at("files")) {
      const fs::path image = m_folder / entry.at("image").get<std::string>(), mask = m_folder / entry.at("mask").get<std::string>();
      SCOPED_TRACE(image.string());
      const std::string name = image.filename().string().substr(0, image.filename().string().find('.'));
      const auto read = taken(readPreciseVolume(image));
      check(read.grid().size == sizeFrom(entry.at("shape_XYZ")), "shape");
      check(affineDifference(read.grid().affine, affineFrom(entry.at("affine"))) <= kAffineTolerance, "affine");
      compare(publishedSliceScaling(read.voxels, read.grid().size), xyz(golden, name + ".scaled_XYZ"), kScaledTolerance, "scaled");
      const auto prepared = taken(prepareCase({{image}, mask}, settings));
      compare(doubles(prepared.image.values), parityValues(golden, name + ".target"), kTensorTolerance, "target");
      compare(doubles(prepared.condition.values), parityValues(golden, name + ".input"), kTensorTolerance, "input");
      check(cornersKept(read.grid(), prepared.grid), "field of view");
    }
    pairs(section);
  }

  // Paired by subject here, by position and digits there: the same files have to meet.
  void pairs(const Json& section) {
    const fs::path first = m_folder / section.at("files").front().at("mask").get<std::string>();
    const fs::path root = first.parent_path().parent_path();
    const auto absolute = [&](const Json& name) { return root / name.get<std::string>(); };
    std::map<fs::path, fs::path> golden; // mask → image
    for (const auto& pair : section.at("pairs"))
      golden[absolute(pair.at(0))] = absolute(pair.at(1));
    ASSERT_FALSE(golden.empty());
    const auto index = taken(indexDataset(golden.begin()->second.parent_path(), golden.begin()->first.parent_path(), {}));
    check(index.cases.size() == golden.size(), "number of pairs");
    for (const auto& entry : index.cases)
      check(golden.contains(entry.files.mask) && golden[entry.files.mask] == entry.files.images.at(0), "pair " + entry.subject);
  }

  void wholeHeadExport(const SafetensorsReader& golden) {
    const Json& section = m_json.at("whole_head_export");
    const fs::path mask = m_folder / section.at("reference_mask").get<std::string>();
    const TensorInfo& info = *golden.find("sample");
    checkFill(golden, section.at("sample_fill_key"));
    const GridSize size{info.shape.at(4), info.shape.at(3), info.shape.at(2)};
    PreprocessSettings settings;
    settings.recipe = "published";
    settings.size = size;
    settings.labels = {1, 2};
    const auto condition = taken(prepareCase({{}, mask}, settings)).condition;
    const auto golden1 = parityValues(golden, "condition");
    const auto sample = taken(golden.values<float>("sample"));
    TemporaryFolder folder;
    for (std::int64_t k = 0; k < info.shape.at(0); ++k) {
      const auto perCondition = condition.values.size(), perSample = static_cast<std::size_t>(size[0] * size[1] * size[2]);
      const auto n = static_cast<std::size_t>(k);
      compare(doubles(condition.values), {golden1.begin() + static_cast<std::ptrdiff_t>(n * perCondition), golden1.begin() + static_cast<std::ptrdiff_t>((n + 1) * perCondition)},
              kTensorTolerance, "condition");
      ChannelBlock block{1, size, {sample.begin() + static_cast<std::ptrdiff_t>(n * perSample), sample.begin() + static_cast<std::ptrdiff_t>((n + 1) * perSample)}};
      ASSERT_TRUE(exportWholeHead(block, mask, static_cast<int>(k + 1), folder.path()));
      const std::string number = std::to_string(k + 1);
      const auto written = taken(readVolume(folder / section.at("written_" + number).at("file_name").get<std::string>()));
      compare(doubles(written.voxels), xyz(golden, "written_" + number + "_XYZ"), 0, "written voxels");
      check(affineDifference(written.grid().affine, affineFrom(parityValues(golden, "written_" + number + "_affine"))) <= kAffineTolerance, "written affine");
      check(written.header.storedType == VoxelType::Float32 && written.header.sform.has_value(), "float32 with sform");
      compare(doubles(taken(readVolume(folder / "mask" / publishedExportName(static_cast<int>(k + 1), mask))).voxels), doubles(taken(readVolume(mask)).voxels), 0, "mask beside it");
    }
  }

  void bratsSmall(const SafetensorsReader& golden) {
    const Json& section = m_json.at("brats_small");
    for (const auto& entry : section.at("cases")) {
      const std::string name = entry.at("case");
      SCOPED_TRACE(name);
      const BratsCase done = preprocessed(name, sizeFrom(section.at("crop_or_pad_target_XYZ")));
      for (std::size_t m = 0; m < done.images.size(); ++m)
        compare(doubles(done.images[m].voxels), xyz(golden, name + "." + kBratsModalities[m] + "_XYZ"), kBratsTolerance, kBratsModalities[m]);
      compare(doubles(done.segmentation.voxels), withZeroBackground(xyz(golden, name + ".seg_XYZ")), 0, "labels");
      check(affineDifference(done.segmentation.grid().affine, affineFrom(parityValues(golden, name + ".affine"))) <= kAffineTolerance, "affine");
      tensors(name, golden, done, {section.at("input_size"), section.at("input_size"), section.at("depth_size")});
    }
  }

  void bratsExport(const SafetensorsReader& golden) {
    const Json& section = m_json.at("brats_export");
    checkFill(golden, section.at("sample_fill_key"));
    const TensorInfo& info = *golden.find("sample");
    const GridSize size{info.shape.at(4), info.shape.at(3), info.shape.at(2)};
    const std::string reference = section.at("reference_seg");
    const BratsCase done = preprocessed(caseNamedIn(reference), size);
    ChannelBlock image, condition;
    bratsTensors(done, defaultLabels(4), 0, image, condition);
    compare(doubles(condition.values), parityValues(golden, "condition"), 0, "condition");
    const ChannelBlock sample{info.shape.at(1), size, taken(golden.values<float>("sample"))};
    const BratsCase written = exportBrats(sample, done.segmentation, sizeFrom(section.at("pad_target_XYZ")));
    for (std::size_t m = 0; m < written.images.size(); ++m)
      compare(doubles(written.images[m].voxels), xyz(golden, std::string("written_") + kBratsModalities[m] + "_XYZ"), kBratsTolerance, kBratsModalities[m]);
    compare(doubles(written.segmentation.voxels), withZeroBackground(xyz(golden, "written_seg_XYZ")), 0, "labels");
    check(affineDifference(written.segmentation.grid().affine, affineFrom(parityValues(golden, "written_affine"))) <= kAffineTolerance, "affine");
  }

  void bratsFull(const SafetensorsReader& golden) {
    const Json& section = m_json.at("brats_full");
    const BratsCase done = preprocessed(section.at("case"), sizeFrom(section.at("crop_or_pad_target_XYZ")));
    for (const auto& [name, expected] : section.at("preprocessed").items()) {
      SCOPED_TRACE(name);
      const Volume& volume = named(done, name);
      std::vector<double> values = doubles(volume.voxels);
      if (name == "seg")
        for (double& label : values)
          label = label == 0 ? -1 : label;
      check(sizeFrom(expected.at("shape")) == volume.grid().size, "shape");
      check(affineDifference(volume.grid().affine, affineFrom(expected.at("affine"))) <= kAffineTolerance, "affine");
      double sum = 0, squares = 0;
      for (const double v : values) {
        sum += v;
        squares += v * v;
      }
      const double slack = kBratsTolerance * static_cast<double>(values.size());
      check(std::abs(sum - expected.at("sum").get<double>()) <= slack, "sum");
      check(std::abs(squares - expected.at("sum_of_squares").get<double>()) <= 2 * slack, "sum of squares");
      check(std::abs(values.front() - expected.at("corner_value").get<double>()) <= kBratsTolerance, "corner");
      check(boundingBox(values, volume.grid().size) == expected.at("bounding_box_of_values_unlike_corner").get<Box>(), "bounding box");
      planes(golden, name, values, volume.grid().size, expected.at("planes_at").get<GridSize>());
    }
  }

private:
  void check(bool fine, const std::string& what) {
    EXPECT_TRUE(fine) << what;
    m_tally.countCheck();
  }
  void compare(const std::vector<double>& ours, const std::vector<double>& golden, double tolerance, const std::string& what) {
    EXPECT_LE(largestDifference(ours, golden), tolerance) << what;
    m_tally.countCheck();
  }
  static std::vector<double> xyz(const SafetensorsReader& golden, const std::string& name) {
    return xFastest(parityValues(golden, name), golden.find(name)->shape);
  }

  void checkFill(const SafetensorsReader& golden, const std::string& key) {
    const auto stored = parityValues(golden, "sample");
    const auto largest = std::max_element(stored.begin(), stored.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double amplitude = *largest / parityUniform(parityHash(key), static_cast<std::uint64_t>(largest - stored.begin()));
    compare(doubles(parityFill(key, static_cast<std::int64_t>(stored.size()), 0, amplitude)), stored, 1e-6, "fill");
  }

  // Outer faces stay where they are: the centre of the first voxel moves by half the change of the step.
  static bool cornersKept(const Grid& from, const Grid& to) {
    const auto face = [](const Grid& grid, double side) {
      Vec3 index;
      for (std::size_t a = 0; a < 3; ++a)
        index[a] = side * static_cast<double>(grid.size[a]) - 0.5;
      return applyAffine(grid.affine, index);
    };
    for (const double side : {0.0, 1.0})
      for (std::size_t a = 0; a < 3; ++a)
        if (std::abs(face(from, side)[a] - face(to, side)[a]) > 1e-6)
          return false;
    return true;
  }

  std::vector<fs::path> caseFolders() const {
    std::vector<fs::path> found;
    for (const auto& raw : fs::directory_iterator(m_folder))
      if (raw.is_directory() && raw.path().filename().string().starts_with("brats_raw"))
        for (const auto& entry : fs::directory_iterator(raw.path()))
          found.push_back(entry.path());
    return found;
  }
  std::string caseNamedIn(const std::string& text) const {
    for (const auto& folder : caseFolders())
      if (text.find(folder.filename().string()) != std::string::npos)
        return folder.filename().string();
    throw std::runtime_error("no raw case is named in: " + text);
  }
  CaseFiles filesOf(const std::string& name) const {
    for (const auto& folder : caseFolders())
      if (folder.filename() == name) {
        CaseFiles files;
        for (const char* modality : kBratsModalities)
          files.images.push_back(folder / (name + "_" + modality + ".nii.gz"));
        files.mask = folder / (name + "_seg.nii.gz");
        return files;
      }
    throw std::runtime_error("there is no raw case " + name);
  }
  BratsCase preprocessed(const std::string& name, const GridSize& size) const {
    const CaseFiles files = filesOf(name);
    BratsCase raw;
    for (std::size_t m = 0; m < raw.images.size(); ++m)
      raw.images[m] = taken(readVolume(files.images[m]));
    raw.segmentation = taken(readVolume(files.mask));
    EXPECT_TRUE(isRawBrats(raw));
    BratsCase done = taken(preprocessBrats(raw, size));
    EXPECT_FALSE(isRawBrats(done));
    return done;
  }

  // The training tensors, from the preprocessed volumes and by the recipe from the raw files.
  void tensors(const std::string& name, const SafetensorsReader& golden, const BratsCase& done, const GridSize& size) {
    ChannelBlock image, condition;
    bratsTensors(done, defaultLabels(4), 0, image, condition);
    compare(doubles(image.values), parityValues(golden, name + ".target"), kTensorTolerance, "target");
    compare(doubles(condition.values), parityValues(golden, name + ".input"), kTensorTolerance, "input");
    PreprocessSettings settings;
    settings.recipe = "published_brats";
    settings.size = size;
    settings.labels = defaultLabels(4);
    settings.conditionBackground = 0;
    const auto prepared = taken(prepareCase(filesOf(name), settings));
    compare(doubles(prepared.image.values), parityValues(golden, name + ".target"), kTensorTolerance, "target by recipe");
    compare(doubles(prepared.condition.values), parityValues(golden, name + ".input"), kTensorTolerance, "input by recipe");
  }

  static const Volume& named(const BratsCase& brats, const std::string& name) {
    for (std::size_t m = 0; m < brats.images.size(); ++m)
      if (name == kBratsModalities[m])
        return brats.images[m];
    return brats.segmentation;
  }

  using Box = std::array<std::array<std::int64_t, 2>, 3>; // first and one past the last index along each axis
  static Box boundingBox(const std::vector<double>& values, const GridSize& size) {
    Box box{{{size[0], 0}, {size[1], 0}, {size[2], 0}}};
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(values.size()); ++n) {
      if (values[static_cast<std::size_t>(n)] == values.front())
        continue;
      const GridSize at{n % size[0], n / size[0] % size[1], n / (size[0] * size[1])};
      for (std::size_t a = 0; a < 3; ++a)
        box[a] = {std::min(box[a][0], at[a]), std::max(box[a][1], at[a] + 1)};
    }
    return box;
  }

  void planes(const SafetensorsReader& golden, const std::string& name, const std::vector<double>& values, const GridSize& size, const GridSize& at) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string tensor = name + ".plane_" + "xyz"[axis];
      if (!golden.find(tensor))
        continue;
      const std::size_t slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2; // the plane is stored with the later axis fastest
      std::vector<double> plane;
      GridSize index{};
      index[axis] = at[axis];
      for (index[slow] = 0; index[slow] < size[slow]; ++index[slow])
        for (index[fast] = 0; index[fast] < size[fast]; ++index[fast])
          plane.push_back(values[static_cast<std::size_t>(index[0] + size[0] * (index[1] + size[1] * index[2]))]);
      compare(plane, parityValues(golden, tensor), name == "seg" ? 0 : kBratsTolerance, tensor);
    }
  }

  ParityTally& m_tally;
  fs::path m_folder;
  Json m_json;
};
} // namespace

TEST(Parity, DataIsPreparedAndExportedAsByThePublishedPrograms) {
  ParityTally tally;
  DataParity parity(tally);
  const std::vector<std::pair<std::string, void (DataParity::*)(const SafetensorsReader&)>> kinds{
      {"whole_head_expected.safetensors", &DataParity::wholeHead},     {"whole_head_export_expected.safetensors", &DataParity::wholeHeadExport},
      {"brats_small_expected.safetensors", &DataParity::bratsSmall},   {"brats_export_expected.safetensors", &DataParity::bratsExport},
      {"brats_full_expected.safetensors", &DataParity::bratsFull}};
  for (const auto& file : parityFiles(".*\\.safetensors", parityFolder() / "data")) {
    SCOPED_TRACE(file.filename().string());
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == file.filename(); });
    ASSERT_NE(kind, kinds.end()) << "nothing checks " << file;
    (parity.*kind->second)(parityTensors(file));
    tally.countFile();
  }
}
