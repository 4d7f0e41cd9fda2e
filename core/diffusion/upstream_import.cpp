// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/upstream_import.h"
#include "core/diffusion/pickle_machine.h"
#include "core/diffusion/zip_archive.h"
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
using Kind = PickleValue::Kind;
constexpr std::uint64_t kMaximumPickleBytes = 64u << 20;
constexpr std::string_view kNetworkPrefix = "denoise_fn.";
constexpr std::string_view kPickleName = "/data.pkl";

class Loader {
public:
  explicit Loader(ZipReader zip) : m_zip(std::move(zip)) {}

  Result<UpstreamCheckpoint> load() {
    const auto pickle = std::find_if(m_zip.entries().begin(), m_zip.entries().end(), [](const ZipEntry& e) {
      return e.name.ends_with(kPickleName) && std::count(e.name.begin(), e.name.end(), '/') == 1;
    });
    if (pickle == m_zip.entries().end())
      return fail(ExitCode::Data, m_zip.file().string() + " is a zip archive, but not one that torch.save wrote: it has no data.pkl.");
    m_folder = pickle->name.substr(0, pickle->name.size() - kPickleName.size() + 1);
    if (const Status status = checkByteOrder(); !status)
      return fail(status.error());
    const auto bytes = m_zip.readText(*pickle, kMaximumPickleBytes);
    if (!bytes)
      return fail(bytes.error());
    const auto document = PickleDocument::parse(*bytes, m_zip.file().string());
    if (!document)
      return fail(document.error());
    return checkpoint(document->root());
  }

private:
  Status checkByteOrder() const {
    const ZipEntry* order = m_zip.find(m_folder + "byteorder");
    if (!order)
      return {};
    const auto text = m_zip.readText(*order, 16);
    if (!text)
      return fail(text.error());
    if (*text != "little")
      return fail(ExitCode::Data, m_zip.file().string() + " was written on a big-endian machine, which is not supported.");
    return {};
  }

  static const PickleValue* member(const PickleValue& dictionary, std::string_view name) {
    for (const auto& [key, value] : dictionary.members)
      if (key == name)
        return value;
    return nullptr;
  }

  Result<UpstreamCheckpoint> checkpoint(const PickleValue& root) {
    if (root.kind != Kind::Dictionary)
      return fail(ExitCode::Data, m_zip.file().string() + " does not hold a dictionary of weights.");
    UpstreamCheckpoint result;
    const PickleValue* model = member(root, "model");
    const PickleValue* ema = member(root, "ema");
    const PickleValue* step = member(root, "step");
    if (step && step->kind == Kind::Integer)
      result.step = step->integer;
    if (!model && !ema)
      model = &root; // a bare dictionary of weights
    for (const auto& [value, target] : {std::pair{model, &result.model}, {ema, &result.ema}}) {
      if (!value)
        continue;
      if (const Status status = weights(*value, *target, result.schedule); !status)
        return fail(status.error());
    }
    if (!model)
      result.model = result.ema;
    if (!ema)
      result.ema = result.model;
    if (const at::Tensor* betas = findTensor(result.schedule, "betas"); betas && betas->dim() == 1)
      result.timesteps = static_cast<int>(std::min<std::int64_t>(betas->size(0), 1 << 30));
    return result;
  }

  Status weights(const PickleValue& dictionary, NamedTensors& parameters, NamedTensors& schedule) {
    if (dictionary.kind != Kind::Dictionary)
      return fail(ExitCode::Data, m_zip.file().string() + " does not hold a dictionary of weights.");
    const bool prefixed = std::any_of(dictionary.members.begin(), dictionary.members.end(),
                                      [](const auto& m) { return m.first.starts_with(kNetworkPrefix); });
    NamedTensors vectors;
    for (const auto& [key, value] : dictionary.members) {
      if (value->kind != Kind::Tensor)
        return fail(ExitCode::Data, m_zip.file().string() + ": the entry " + key + " is not a tensor.");
      auto tensor = read(*value);
      if (!tensor)
        return fail(tensor.error());
      if (!prefixed)
        parameters.push_back({key, std::move(*tensor)});
      else if (key.starts_with(kNetworkPrefix))
        parameters.push_back({key.substr(kNetworkPrefix.size()), std::move(*tensor)});
      else
        vectors.push_back({key, std::move(*tensor)});
    }
    if (schedule.empty())
      schedule = std::move(vectors);
    return {};
  }

  // A view of its storage, which is read once: tensors may share one.
  Result<at::Tensor> read(const PickleValue& tensor) {
    auto storage = m_storages.find(tensor.storage->text);
    if (storage == m_storages.end()) {
      auto loaded = readStorage(*tensor.storage);
      if (!loaded)
        return fail(loaded.error());
      storage = m_storages.emplace(tensor.storage->text, std::move(*loaded)).first;
    }
    if (storage->second.numel() != tensor.storage->integer)
      return fail(ExitCode::Data, m_zip.file().string() + " is damaged: it describes the storage " + tensor.storage->text + " in two ways.");
    return storage->second.as_strided(tensor.sizes, tensor.strides, tensor.integer);
  }

  Result<at::Tensor> readStorage(const PickleValue& storage) {
    const ZipEntry* entry = m_zip.find(m_folder + "data/" + storage.text);
    if (!entry)
      return fail(ExitCode::Data, m_zip.file().string() + " is damaged: the values of the storage " + storage.text + " are missing.");
    if (entry->size / sizeof(float) < static_cast<std::uint64_t>(storage.integer))
      return fail(ExitCode::Data, m_zip.file().string() + " is damaged: the storage " + storage.text + " is shorter than described.");
    at::Tensor bytes = at::empty({static_cast<std::int64_t>(entry->size)}, at::kByte);
    if (const Status status = m_zip.readChecked(*entry, {static_cast<std::byte*>(bytes.mutable_data_ptr()), bytes.nbytes()}); !status)
      return fail(status.error());
    return bytes.narrow(0, 0, storage.integer * static_cast<std::int64_t>(sizeof(float))).view(at::kFloat);
  }

  ZipReader m_zip;
  std::string m_folder; // with the slash
  std::map<std::string, at::Tensor> m_storages;
};

} // namespace

Result<UpstreamCheckpoint> readUpstreamCheckpoint(const std::filesystem::path& file) {
  auto zip = ZipReader::open(file);
  if (!zip)
    return fail(zip.error());
  return Loader(std::move(*zip)).load();
}

} // namespace voxlab
