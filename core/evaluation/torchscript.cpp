// SPDX-License-Identifier: Apache-2.0
// Networks of other people, saved by torch.jit.save: the only file that includes TorchScript's headers.
#include "core/base/failure.h"
#include "core/evaluation/features.h"
#include <torch/csrc/jit/serialization/import.h>

namespace voxlab {
namespace {
class ScriptNetwork {
public:
  ScriptNetwork(const std::filesystem::path& file, at::Device device) : m_name(file.filename().string()), m_device(device) {
    try {
      m_module = torch::jit::load(file.string(), device);
      m_module.eval();
    } catch (const std::exception&) {
      throw Failure(ExitCode::Data, file.string() + " could not be loaded as a TorchScript network. Save one with torch.jit.save.");
    }
  }

  at::Tensor run(const at::Tensor& volume) {
    const c10::NoGradGuard noGradients;
    try {
      return m_module.forward({volume.to(m_device)}).toTensor().to(at::kCPU, at::kFloat);
    } catch (const std::exception& e) {
      const std::string what = e.what();
      throw Failure(ExitCode::Data, "The network " + m_name + " could not work on a volume of shape (1, 1, D, H, W), or returned no tensor: " + what.substr(0, what.find('\n')));
    }
  }
  const std::string& name() const { return m_name; }

private:
  std::string m_name;
  at::Device m_device;
  torch::jit::Module m_module;
};

class ScriptFeatures : public FeatureNetwork {
public:
  ScriptFeatures(const std::filesystem::path& file, at::Device device) : m_network(file, device) {}
  at::Tensor features(const at::Tensor& volume) override {
    at::Tensor out = m_network.run(volume).to(at::kDouble);
    if (out.dim() > 2)
      out = out.flatten(2).mean(2);
    return out.flatten().contiguous();
  }
  std::string recipe() const override { return "TorchScript network " + m_network.name() + ", output averaged over space."; }

private:
  ScriptNetwork m_network;
};

class ScriptSegmentation : public SegmentationNetwork {
public:
  ScriptSegmentation(const std::filesystem::path& file, at::Device device) : m_network(file, device) {}
  at::Tensor labels(const at::Tensor& volume) override {
    const at::Tensor out = m_network.run(volume);
    if (out.dim() != 5 || out.sizes().slice(2) != volume.sizes().slice(2))
      throw Failure(ExitCode::Data, "The segmentation network " + m_network.name() + " does not return (1, K, D, H, W) on the volume's grid.");
    const at::Tensor labels = out.size(1) == 1 ? out.gt(0).squeeze(1) : out.argmax(1);
    return labels.squeeze(0).to(at::kFloat).contiguous();
  }

private:
  ScriptNetwork m_network;
};
} // namespace

std::unique_ptr<FeatureNetwork> loadFeatures(const std::filesystem::path& file, at::Device device) {
  return std::make_unique<ScriptFeatures>(file, device);
}

std::unique_ptr<SegmentationNetwork> loadSegmentation(const std::filesystem::path& file, at::Device device) {
  return std::make_unique<ScriptSegmentation>(file, device);
}

} // namespace voxlab
