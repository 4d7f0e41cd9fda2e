// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/activation_checkpoint.h"
#include "core/diffusion/autocast.h"
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace voxlab {
namespace {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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
  static at::Tensor forward(AutogradContext* context, at::TensorList tensors, const std::shared_ptr<Job>& job) {
    context->save_for_backward(tensors.vec());
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
        t = t.detach().requires_grad_(saved[i].requires_grad());
        inputs.push_back(t);
      }
      if (t.requires_grad()) {
        sources.push_back(t);
        places.push_back(i);
      }
    }
    variable_list gradients(saved.size() + 1); // and none for the job
    at::Tensor output;
    {
      const c10::AutoGradMode gradient(true);
      const AutocastScope autocast(job->autocast);
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
  std::vector<at::Tensor> all; // autograd takes no undefined tensors: they step aside and come back in their places
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].defined()) {
      all.push_back(inputs[i]);
      places.push_back(i);
    }
  const auto job = std::make_shared<Job>();
  job->inputCount = all.size();
  job->autocast = AutocastState::current(all.front().device().type());
  job->function = [f = std::move(function), places, count = inputs.size()](const std::vector<at::Tensor>& given) {
    std::vector<at::Tensor> full(count);
    for (std::size_t k = 0; k < places.size(); ++k)
      full[places[k]] = given[k];
    return f(full);
  };
  all.insert(all.end(), parameters.begin(), parameters.end());
  return Recompute::apply(at::TensorList(all), job);
}

} // namespace voxlab
