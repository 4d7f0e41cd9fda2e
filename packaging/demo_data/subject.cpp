// SPDX-License-Identifier: Apache-2.0
#include "packaging/demo_data/subject.h"
#include "core/imaging/volume_io.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

constexpr double kScale = 1000, kCeiling = 1500; // of written intensities

VoxelMask aboveZero(const Volume& volume) {
  VoxelMask mask(volume.voxels.size());
  std::transform(volume.voxels.begin(), volume.voxels.end(), mask.begin(), [](float v) { return v > 0; });
  return mask;
}

Result<Volume> readOneTimePoint(const std::filesystem::path& file) {
  auto volume = readVolume(file);
  if (volume && (volume->header.timePoints != 1 || volume->header.components != 1))
    return fail(ExitCode::Data, file.string() + " holds more than one volume; one T1 volume or one mask is wanted.");
  return volume;
}

// Brain wherever it is said to be, head around it.
std::vector<std::uint8_t> labelled(const VoxelMask& head, const VoxelMask& brain) {
  std::vector<std::uint8_t> labels(head.size());
  for (std::size_t i = 0; i < head.size(); ++i)
    labels[i] = static_cast<std::uint8_t>(brain[i] ? HeadLabel::Brain : head[i] ? HeadLabel::Head : HeadLabel::Air);
  return labels;
}

void scaleToHead(Volume& image, const std::vector<std::uint8_t>& labels) {
  std::vector<float> head;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i])
      head.push_back(image.voxels[i]);
  const auto top = head.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(head.size() - 1));
  std::nth_element(head.begin(), top, head.end());
  const float reference = *top > 0 ? *top : 1;
  for (float& v : image.voxels)
    v = std::clamp(v / reference, 0.0f, 1.5f);
}

Vec3 boxCentre(const std::vector<std::uint8_t>& labels, const Grid& grid) {
  std::array<std::int64_t, 3> low = grid.size, high{-1, -1, -1};
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (!labels[n])
      continue;
    const auto at = static_cast<std::int64_t>(n);
    const std::array<std::int64_t, 3> index{at % grid.size[0], at / grid.size[0] % grid.size[1],
                                            at / (grid.size[0] * grid.size[1])};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], index[axis]);
      high[axis] = std::max(high[axis], index[axis]);
    }
  }
  Vec3 middle;
  for (std::size_t axis = 0; axis < 3; ++axis)
    middle[axis] = 0.5 * static_cast<double>(low[axis] + high[axis]);
  return applyAffine(grid.affine, middle);
}

// Reads a subject's voxels at any place; air outside.
class Sampler {
public:
  // Original points in mm from the head's centre become indices by toIndex; points of the varied head get there by place.
  Sampler(const Subject& subject, const Affine& toIndex, const Affine& place)
      : m_subject(subject), m_size(subject.image.grid().size), m_bendToIndex(toIndex), m_toIndex(compose(toIndex, place)) {}

  struct Content {
    double mean;
    float label;
  };
  // What a voxel with this middle and edge holds: parts³ points of it are looked at.
  Content over(const Vec3& middle, double step, int parts, const Vec3& bend) const {
    const Vec3 bent = applyAffine(m_bendToIndex, bend), origin = applyAffine(m_bendToIndex, {});
    double sum = 0;
    std::array<int, 3> votes{};
    for (int part = 0; part < parts * parts * parts; ++part) {
      const auto inside = [&](int along) { return step * ((along + 0.5) / parts - 0.5); };
      Vec3 index = applyAffine(m_toIndex, {middle[0] + inside(part % parts), middle[1] + inside(part / parts % parts),
                                           middle[2] + inside(part / (parts * parts))});
      for (std::size_t axis = 0; axis < 3; ++axis)
        index[axis] += bent[axis] - origin[axis];
      sum += image(index);
      ++votes[label(index)];
    }
    return {sum / (parts * parts * parts), static_cast<float>(std::max_element(votes.begin(), votes.end()) - votes.begin())};
  }

private:
  double image(const Vec3& index) const { // trilinear
    std::array<std::int64_t, 3> base;
    Vec3 part;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      base[axis] = static_cast<std::int64_t>(std::floor(index[axis]));
      part[axis] = index[axis] - static_cast<double>(base[axis]);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const std::array<std::int64_t, 3> at{base[0] + (corner & 1), base[1] + (corner >> 1 & 1), base[2] + (corner >> 2)};
      const double weight =
          (corner & 1 ? part[0] : 1 - part[0]) * (corner & 2 ? part[1] : 1 - part[1]) * (corner & 4 ? part[2] : 1 - part[2]);
      if (weight > 0 && inside(at))
        sum += weight * m_subject.image.voxels[offset(at)];
    }
    return sum;
  }
  std::uint8_t label(const Vec3& index) const { // nearest
    const std::array<std::int64_t, 3> at{std::llround(index[0]), std::llround(index[1]), std::llround(index[2])};
    return inside(at) ? m_subject.labels[offset(at)] : 0;
  }
  bool inside(const std::array<std::int64_t, 3>& at) const {
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < m_size[0] && at[1] < m_size[1] && at[2] < m_size[2];
  }
  std::size_t offset(const std::array<std::int64_t, 3>& at) const {
    return static_cast<std::size_t>(at[0] + m_size[0] * (at[1] + m_size[1] * at[2]));
  }
  const Subject& m_subject;
  std::array<std::int64_t, 3> m_size;
  Affine m_bendToIndex, m_toIndex;
};

Grid cube(const Vec3& centre_mm, int size, double edge_mm) {
  Grid grid;
  grid.size = {size, size, size};
  const double step = edge_mm / size;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    grid.affine[axis][axis] = step;
    grid.affine[axis][3] = centre_mm[axis] - 0.5 * step * (size - 1);
  }
  return grid;
}

Volume emptyVolume(const Grid& grid, const std::string& description) {
  Volume volume;
  volume.header.grid = grid;
  volume.header.description = description;
  volume.voxels.resize(static_cast<std::size_t>(grid.voxelCount()));
  return volume;
}

} // namespace

Result<SubjectSource> parseSubject(const std::string& text) {
  const auto equals = text.find('=');
  const auto comma = text.find(',', equals);
  SubjectSource source;
  if (equals != std::string::npos) {
    source.name = text.substr(0, equals);
    source.image = text.substr(equals + 1, comma == std::string::npos ? comma : comma - equals - 1);
    if (comma != std::string::npos)
      source.brain = text.substr(comma + 1);
  }
  if (source.name.empty() || source.image.empty() || source.name.find('/') != std::string::npos)
    return fail(ExitCode::Usage, "\"" + text + "\" is no subject: NAME=IMAGE or NAME=IMAGE,BRAIN is wanted.");
  return source;
}

Result<Subject> readSubject(const SubjectSource& source) {
  auto image = readOneTimePoint(source.image);
  if (!image)
    return fail(image.error());
  Subject subject{source.name, std::move(*image), {}, {}};
  if (source.brain.empty()) {
    const VoxelMask brain = largestComponent(aboveZero(subject.image), subject.image.grid().size);
    subject.labels = labelled(brain, brain);
  } else {
    auto brain = readOneTimePoint(source.brain);
    if (!brain)
      return fail(brain.error());
    if (!sameGrid(brain->grid(), subject.image.grid()))
      return fail(ExitCode::Data, source.brain.string() + " lies on another grid than " + source.image.string() + ".");
    const auto& size = brain->grid().size;
    subject.labels = labelled(headMask(subject.image), filledSlices(largestComponent(aboveZero(*brain), size), size));
  }
  if (std::none_of(subject.labels.begin(), subject.labels.end(), [](auto label) { return label != 0; }))
    return fail(ExitCode::Data, "There is no head in " + source.image.string() + ": its voxels are all alike.");
  scaleToHead(subject.image, subject.labels);
  subject.centre_mm = boxCentre(subject.labels, subject.image.grid());
  return subject;
}

Pair drawPair(const Subject& subject, const Variation& variation, int size, double edge_mm) {
  const Grid grid = cube(subject.centre_mm, size, edge_mm);
  Pair pair{emptyVolume(grid, "Voxlab demo: " + subject.name), emptyVolume(grid, "1 head, 2 brain")};
  // From mm around the head's centre to the subject's voxels.
  Affine fromCentre = kIdentityAffine;
  for (std::size_t axis = 0; axis < 3; ++axis)
    fromCentre[axis][3] = subject.centre_mm[axis];
  const Affine toIndex = compose(inverse(subject.image.grid().affine).value_or(kIdentityAffine), fromCentre);
  const Sampler sampler(subject, toIndex, variation.place());

  const double step = edge_mm / size;
  const Vec3 spacing = spacingOf(subject.image.grid().affine);
  const int parts = std::clamp(static_cast<int>(std::lround(step / *std::min_element(spacing.begin(), spacing.end()))), 1, 3);
  std::size_t n = 0;
  for (int k = 0; k < size; ++k)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i, ++n) {
        const Vec3 middle{step * (i + 0.5 - 0.5 * size), step * (j + 0.5 - 0.5 * size), step * (k + 0.5 - 0.5 * size)};
        const auto [mean, label] = sampler.over(middle, step, parts, variation.bend(middle, edge_mm));
        const double value = variation.intensity(mean, middle, edge_mm);
        pair.image.voxels[n] = static_cast<float>(std::lround(std::clamp(kScale * value, 0.0, kCeiling)));
        pair.mask.voxels[n] = label;
      }
  return pair;
}

} // namespace voxlab
