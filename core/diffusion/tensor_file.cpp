// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/tensor_file.h"
#include <ATen/ops/empty.h>
#include <array>

namespace voxlab {
namespace {
constexpr std::array<std::pair<TensorType, at::ScalarType>, 10> kTypes{{{TensorType::F64, at::kDouble},
                                                                        {TensorType::F32, at::kFloat},
                                                                        {TensorType::F16, at::kHalf},
                                                                        {TensorType::BF16, at::kBFloat16},
                                                                        {TensorType::I64, at::kLong},
                                                                        {TensorType::I32, at::kInt},
                                                                        {TensorType::I16, at::kShort},
                                                                        {TensorType::I8, at::kChar},
                                                                        {TensorType::U8, at::kByte},
                                                                        {TensorType::Bool, at::kBool}}};

std::optional<at::ScalarType> torchType(TensorType type) {
  for (const auto& [file, torch] : kTypes)
    if (file == type)
      return torch;
  return std::nullopt;
}
TensorType fileType(at::ScalarType type) {
  for (const auto& [file, torch] : kTypes)
    if (torch == type)
      return file;
  return TensorType::Unknown;
}

Result<at::Tensor> readOne(const SafetensorsReader& reader, const TensorInfo& info) {
  const auto type = torchType(info.type);
  if (!type)
    return fail(ExitCode::Data, reader.file().string() + ": the tensor " + info.name + " has a type that LibTorch does not know.");
  at::Tensor tensor = at::empty(info.shape, *type);
  const Status status = reader.read(info, {static_cast<std::byte*>(tensor.mutable_data_ptr()), info.byteCount()});
  if (!status)
    return fail(status.error());
  return tensor;
}
} // namespace

Result<at::Tensor> readTensor(const SafetensorsReader& reader, const std::string& name) {
  const TensorInfo* info = reader.find(name);
  if (!info)
    return fail(ExitCode::Data, reader.file().string() + " holds no tensor " + name + ".");
  return readOne(reader, *info);
}

Result<TensorFile> readTensors(const std::filesystem::path& file) {
  const auto reader = SafetensorsReader::open(file);
  if (!reader)
    return fail(reader.error());
  TensorFile content;
  content.metadata = reader->metadata();
  for (const TensorInfo& info : reader->tensors()) {
    auto tensor = readOne(*reader, info);
    if (!tensor)
      return fail(tensor.error());
    content.tensors.push_back({info.name, std::move(*tensor)});
  }
  return content;
}

Status writeTensors(const std::filesystem::path& file, const NamedTensors& tensors, const TensorMetadata& metadata) {
  std::vector<TensorInfo> infos;
  for (const NamedTensor& t : tensors) {
    TensorInfo info;
    info.name = t.name;
    info.type = fileType(t.tensor.scalar_type());
    if (info.type == TensorType::Unknown)
      return fail(ExitCode::Internal, "The tensor " + t.name + " has a type that safetensors files cannot hold.");
    info.shape = t.tensor.sizes().vec();
    infos.push_back(std::move(info));
  }
  auto writer = SafetensorsWriter::create(file, std::move(infos), metadata);
  if (!writer)
    return fail(writer.error());
  for (const TensorInfo& info : writer->tensors()) {
    const at::Tensor host = findTensor(tensors, info.name)->detach().to(at::kCPU).contiguous();
    if (const Status status = writer->append({static_cast<const std::byte*>(host.const_data_ptr()), info.byteCount()}); !status)
      return status;
  }
  return writer->finish();
}

} // namespace voxlab
