// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/activation_checkpoint.h"
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace voxlab {
namespace {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What autocast was doing, for one kind of device.
class AutocastState {
public:
  static AutocastState current(at::DeviceType device) {
    AutocastState s;
    s.m_device = device;
    s.m_enabled = at::autocast::is_autocast_enabled(device) ? Switch::On : Switch::Off;
    s.m_type = at::autocast::get_autocast_dtype(device);
    return s;
  }
  void apply() const {
    at::autocast::set_autocast_enabled(m_device, m_enabled == Switch::On);
    at::autocast::set_autocast_dtype(m_device, m_type);
  }

private:
  enum class Switch { Off, On };
  at::DeviceType m_device = at::kCPU;
  Switch m_enabled = Switch::Off;
  at::ScalarType m_type = at::kBFloat16;
};

class AutocastRestore {
public:
  explicit AutocastRestore(const AutocastState& wanted, at::DeviceType device) : m_before(AutocastState::current(device)) { wanted.apply(); }
  ~AutocastRestore() { m_before.apply(); }
  AutocastRestore(const AutocastRestore&) = delete;
  AutocastRestore& operator=(const AutocastRestore&) = delete;

private:
  AutocastState m_before;
};

struct Job {
  Recomputable function;
  std::size_t inputCount = 0;
  AutocastState autocast;
};

// Kept alive by the graph node: backward needs the closure.
struct Holder : torch::CustomClassHolder {
  explicit Holder(std::shared_ptr<Job> j) : job(std::move(j)) {}
  std::shared_ptr<Job> job;
};

struct Recompute : torch::autograd::Function<Recompute> {
  static at::Tensor forward(AutogradContext* context, const variable_list& tensors, const std::shared_ptr<Job>& job) {
    context->save_for_backward(tensors);
    context->saved_data["job"] = c10::IValue::make_capsule(c10::make_intrusive<Holder>(job));
    const c10::AutoGradMode noGradient(false);
    return job->function({tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(job->inputCount)});
  }

  static variable_list backward(AutogradContext* context, const variable_list& outputGradients) {
    const auto job = c10::static_intrusive_pointer_cast<Holder>(context->saved_data["job"].toCapsule())->job;
    const variable_list saved = context->get_saved_variables();
    variable_list inputs, sources; // sources: what gradients are asked for
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < saved.size(); ++i) {
      at::Tensor t = saved[i];
      if (i < job->inputCount) {
        if (t.defined())
          t = t.detach().requires_grad_(saved[i].requires_grad());
        inputs.push_back(t);
      }
      if (t.defined() && t.requires_grad()) {
        sources.push_back(t);
        places.push_back(i);
      }
    }
    variable_list gradients(saved.size() + 1); // and none for the job
    const at::DeviceType device = outputGradients[0].device().type();
    at::Tensor output;
    {
      const c10::AutoGradMode gradient(true);
      const AutocastRestore autocast(job->autocast, device);
      output = job->function(inputs);
    }
    const variable_list found = torch::autograd::grad({output}, sources, {outputGradients[0]}, std::nullopt, false, true);
    for (std::size_t k = 0; k < places.size(); ++k)
      gradients[places[k]] = found[k];
    return gradients;
  }
};

} // namespace

at::Tensor recomputed(Recomputable function, const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& parameters) {
  if (!c10::GradMode::is_enabled())
    return function(inputs);
  const auto job = std::make_shared<Job>(Job{std::move(function), inputs.size(), AutocastState::current(inputs.front().device().type())});
  variable_list all = inputs;
  all.insert(all.end(), parameters.begin(), parameters.end());
  return Recompute::apply(all, job);
}

} // namespace voxlab
