// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_worker/fake_volume.h"
#include "core/base/files.h"
#include <cmath>
#include <cstring>
#include <vector>
#include <zlib.h>

namespace voxlab::fake {
namespace {
constexpr float kSpacing_mm = 2;

double hash01(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return static_cast<double>((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

std::vector<float> voxels(std::array<int, 3> size, std::uint64_t seed, double progress) {
  std::vector<float> values;
  const double radius = 0.7 + 0.2 * hash01(seed + 1);
  std::uint64_t index = seed << 32;
  for (int k = 0; k < size[2]; ++k)
    for (int j = 0; j < size[1]; ++j)
      for (int i = 0; i < size[0]; ++i) {
        const double x = 2.0 * (i + 0.5) / size[0] - 1, y = 2.0 * (j + 0.5) / size[1] - 1, z = 2.0 * (k + 0.5) / size[2] - 1;
        const double r = std::sqrt(x * x + y * y + z * z) / radius;
        double value = r > 1 ? -1 : (r < 0.4 ? -0.2 : 0.5);
        if (std::hypot(x - 0.5 * radius, y, z) < 0.15)
          value = 1;
        const double noise = 2 * hash01(++index * 0x9E3779B97F4A7C15ull) - 1;
        values.push_back(static_cast<float>(progress * value + (1 - progress) * noise));
      }
  return values;
}

template <class T> void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// NIfTI-1 header, 348 bytes and four of no extension; offsets as in nifti1.h.
std::string header(std::array<int, 3> size) {
  std::string h(352, '\0');
  put<std::int32_t>(h, 0, 348);
  put<std::int16_t>(h, 40, 3);
  put<std::int16_t>(h, 70, 16); // float32
  put<std::int16_t>(h, 72, 32);
  put<float>(h, 76, 1);
  put<float>(h, 108, 352);
  put<float>(h, 112, 1);        // slope
  put<char>(h, 123, 2);         // millimetres
  put<std::int16_t>(h, 254, 1); // sform: scanner
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    put<std::int16_t>(h, 42 + 2 * a, static_cast<std::int16_t>(size[a]));
    put<float>(h, 80 + 4 * a, kSpacing_mm);
    put<float>(h, 280 + 16 * a + 4 * a, kSpacing_mm);
    put<float>(h, 280 + 16 * a + 12, -kSpacing_mm * static_cast<float>(size[a] - 1) / 2);
  }
  for (std::size_t d = 3; d < 7; ++d)
    put<std::int16_t>(h, 42 + 2 * d, 1);
  std::memcpy(h.data() + 344, "n+1", 4);
  return h;
}

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
} // namespace

Status writeHead(const std::filesystem::path& file, std::array<int, 3> size, std::uint64_t seed, double progress) {
  const auto values = voxels(size, seed, progress);
  std::string bytes = header(size);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return writeFileAtomically(file, gzip(bytes));
}

} // namespace voxlab::fake
