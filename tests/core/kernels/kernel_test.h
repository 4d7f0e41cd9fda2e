// SPDX-License-Identifier: Apache-2.0
// What the kernel tests share. They use only the CUDA runtime's API, so that they run against the emulator and on a GPU.
#pragma once
#include "core/kernels/element_access.h"
#include <cmath>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace voxlab {

// Skips the test where there is no GPU; the emulator always has one.
class KernelTest : public testing::Test {
protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
      GTEST_SKIP() << "no CUDA device here";
  }
};

inline void expectSuccess(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(error));
}

// Bytes on the device between two guards; everything starts as 0xFF, which is NaN in every storage type. The destructor
// checks that nobody wrote into the guards.
class DeviceBytes {
public:
  explicit DeviceBytes(std::size_t bytes) : m_bytes((bytes + 15) / 16 * 16) {
    expectSuccess(cudaMalloc(&m_data, m_bytes + 2 * kGuard));
    expectSuccess(cudaMemset(m_data, 0xFF, m_bytes + 2 * kGuard));
  }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  ~DeviceBytes() {
    std::vector<unsigned char> all(m_bytes + 2 * kGuard);
    EXPECT_EQ(cudaMemcpy(all.data(), m_data, all.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::size_t i = 0; i < kGuard; ++i)
      if (all[i] != 0xFF || all[all.size() - 1 - i] != 0xFF) {
        ADD_FAILURE() << "written outside the array, near byte " << i << " of a guard";
        break;
      }
    cudaFree(m_data);
  }
  void* data() const { return static_cast<unsigned char*>(m_data) + kGuard; }

private:
  static constexpr std::size_t kGuard = 4096;
  void* m_data = nullptr;
  std::size_t m_bytes;
};

// An array of elements, on the host as doubles (already rounded to the storage type), on the device as they are.
class Array {
public:
  Array(ElementType type, std::size_t size) : m_type(type), m_size(size), m_host(size * elementBytes(type), 0xFF), m_device(m_host.size()) {}
  Array(ElementType type, const std::vector<double>& values) : Array(type, values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      Elements(m_host.data(), type).set(static_cast<std::int64_t>(i), values[i]);
    expectSuccess(cudaMemcpy(m_device.data(), m_host.data(), m_host.size(), cudaMemcpyHostToDevice));
  }
  ElementType type() const { return m_type; }
  std::size_t size() const { return m_size; }
  void* device() const { return m_device.data(); }
  void* host() { return m_host.data(); }
  float* deviceFloats() const { return static_cast<float*>(m_device.data()); }
  float* hostFloats() { return reinterpret_cast<float*>(m_host.data()); }

  std::vector<double> hostValues() const { return values(m_host); }
  std::vector<double> deviceValues() const {
    std::vector<unsigned char> bytes(m_host.size());
    expectSuccess(cudaMemcpy(bytes.data(), m_device.data(), bytes.size(), cudaMemcpyDeviceToHost));
    return values(bytes);
  }
  std::vector<unsigned char> deviceBytes() const {
    std::vector<unsigned char> bytes(m_host.size());
    expectSuccess(cudaMemcpy(bytes.data(), m_device.data(), bytes.size(), cudaMemcpyDeviceToHost));
    return bytes;
  }

private:
  std::vector<double> values(const std::vector<unsigned char>& bytes) const {
    std::vector<double> v(m_size);
    for (std::size_t i = 0; i < m_size; ++i)
      v[i] = ConstElements(bytes.data(), m_type)[static_cast<std::int64_t>(i)];
    return v;
  }
  ElementType m_type;
  std::size_t m_size;
  std::vector<unsigned char> m_host;
  DeviceBytes m_device;
};

inline std::vector<double> randomValues(std::size_t size, unsigned seed, double mean = 0, double deviation = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<double> v(size);
  for (double& x : v)
    x = normal(engine);
  return v;
}

// ||a - b|| / ||b||; NaN if anything is NaN.
inline double relativeError(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / std::max(size, 1e-300));
}

// One rounding to the storage type (half a unit in the last place is 2^-9 or 2^-12), or FP32 arithmetic.
inline double storageTolerance(ElementType type) { return type == ElementType::BFloat16 ? 3e-3 : type == ElementType::Float16 ? 4e-4 : 4e-6; }
inline std::string nameOf(ElementType type) { return type == ElementType::BFloat16 ? "bf16" : type == ElementType::Float16 ? "fp16" : "fp32"; }

inline void expectClose(const Array& result, const Array& expected, double tolerance, const std::string& what) {
  const double error = relativeError(result.deviceValues(), expected.hostValues());
  EXPECT_LE(error, tolerance) << what; // NaN fails
  EXPECT_FALSE(std::isnan(error)) << what;
}

} // namespace voxlab
