// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/upstream_export.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/process.h"
#include "core/diffusion/zip_archive.h"
#include "core/diffusion/zip_format.h"

namespace voxlab {
namespace {

// Pickle protocol 2, the operations that torch.save uses, without the memo.
class PickleWriter {
public:
  PickleWriter() { m_bytes = "\x80\x02"; }
  void operation(char c) { m_bytes.push_back(c); }
  void text(std::string_view value) {
    operation('X');
    zip::append<std::uint32_t>(m_bytes, static_cast<std::uint32_t>(value.size()));
    m_bytes += value;
  }
  void integer(std::int64_t value) {
    if (value >= INT32_MIN && value <= INT32_MAX) {
      operation('J');
      zip::append<std::uint32_t>(m_bytes, static_cast<std::uint32_t>(value));
    } else {
      operation('\x8A'); // LONG1
      operation('\x08');
      zip::append<std::uint64_t>(m_bytes, static_cast<std::uint64_t>(value));
    }
  }
  void global(std::string_view module, std::string_view name) {
    operation('c');
    m_bytes += std::string(module) + "\n" + std::string(name) + "\n";
  }
  void emptyOrderedDict() {
    global("collections", "OrderedDict");
    m_bytes += ")R";
  }
  void tuple(at::IntArrayRef values) {
    operation('(');
    for (const std::int64_t v : values)
      integer(v);
    operation('t');
  }
  void tensor(const std::string& key, const at::Tensor& contiguous) {
    global("torch._utils", "_rebuild_tensor_v2");
    m_bytes += "((";
    text("storage");
    global("torch", "FloatStorage");
    text(key);
    text("cpu");
    integer(contiguous.numel());
    m_bytes += "tQ";
    integer(0);
    tuple(contiguous.sizes());
    tuple(contiguous.strides());
    operation('\x89'); // False
    emptyOrderedDict();
    m_bytes += "tR";
  }
  std::string finish() { return m_bytes + "."; }

private:
  std::string m_bytes;
};

Result<NamedTensors> stateOf(const UpstreamContent& content, const NamedTensors& weights) {
  NamedTensors state = scheduleTensors(Schedule(content.timesteps));
  for (const ParameterInfo& info : parameterLayout(content.network)) {
    const at::Tensor* tensor = findTensor(weights, info.name);
    if (!tensor || tensor->sizes().vec() != info.shape)
      return fail(ExitCode::Data, "The weights cannot be exported: " + info.name + " is missing or has another shape than the network needs.");
    state.push_back({"denoise_fn." + info.name, *tensor});
  }
  return state;
}

} // namespace

Status writeUpstreamCheckpoint(const std::filesystem::path& file, const UpstreamContent& content) {
  const std::string folder = file.stem().string() + "/";
  auto zip = ZipWriter::create(file);
  if (!zip)
    return fail(zip.error());
  PickleWriter pickle;
  pickle.operation('}');
  pickle.operation('(');
  pickle.text("step");
  pickle.integer(content.step);
  int key = 0;
  for (const auto& [name, weights] : {std::pair{"model", &content.model}, {"ema", &content.ema}}) {
    const auto state = stateOf(content, *weights);
    if (!state)
      return fail(state.error());
    pickle.text(name);
    pickle.emptyOrderedDict();
    pickle.operation('(');
    for (const NamedTensor& t : *state) {
      const at::Tensor values = t.tensor.detach().to(at::kCPU, at::kFloat).contiguous();
      const std::string storage = std::to_string(key++);
      pickle.text(t.name);
      pickle.tensor(storage, values);
      const Status status = zip->add(folder + "data/" + storage, {static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()});
      if (!status)
        return status;
    }
    pickle.operation('u');
  }
  pickle.operation('u');
  for (const auto& [name, text] : {std::pair{"data.pkl", pickle.finish()}, {"byteorder", std::string("little")}, {"version", std::string("3\n")}})
    if (const Status status = zip->add(folder + name, std::as_bytes(std::span(text.data(), text.size()))); !status)
      return status;
  return zip->finish();
}

} // namespace voxlab
