// SPDX-License-Identifier: Apache-2.0
#include "core/base/safetensors.h"
#include "core/base/files.h"
#include "core/base/float16.h"
#include "core/base/json.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <numeric>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian and are copied as they are");

namespace voxlab {
namespace {
constexpr std::uint64_t kLongestHeader = 100'000'000; // as in the reference implementation

struct TypeRow {
  TensorType type;
  const char* name;
  std::size_t bytes;
};
constexpr std::array<TypeRow, 10> kTypes{{{TensorType::F64, "F64", 8},
                                          {TensorType::F32, "F32", 4},
                                          {TensorType::F16, "F16", 2},
                                          {TensorType::BF16, "BF16", 2},
                                          {TensorType::I64, "I64", 8},
                                          {TensorType::I32, "I32", 4},
                                          {TensorType::I16, "I16", 2},
                                          {TensorType::I8, "I8", 1},
                                          {TensorType::U8, "U8", 1},
                                          {TensorType::Bool, "BOOL", 1}}};

TensorType typeFromName(const std::string& name) {
  for (const auto& row : kTypes)
    if (name == row.name)
      return row.type;
  return TensorType::Unknown;
}

// Bytes of a tensor of that shape; nullopt when the product does not fit.
std::optional<std::uint64_t> checkedBytes(const TensorInfo& info) {
  std::uint64_t bytes = elementBytes(info.type);
  for (const std::int64_t side : info.shape) {
    if (side < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(side), &bytes))
      return std::nullopt;
  }
  return bytes <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ? std::optional(bytes) : std::nullopt;
}

class HeaderParser {
public:
  HeaderParser(const std::filesystem::path& file, std::uint64_t dataStart, std::uint64_t dataBytes)
      : m_file(file), m_dataStart(dataStart), m_dataBytes(dataBytes) {}

  Status parse(const Json& header, std::vector<TensorInfo>& tensors, TensorMetadata& metadata) const {
    if (!header.is_object())
      return bad("its header is not a JSON object");
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        for (const auto& [key, value] : entry.items())
          if (value.is_string())
            metadata[key] = value.get<std::string>();
        continue;
      }
      auto tensor = parseTensor(name, entry);
      if (!tensor)
        return fail(tensor.error());
      tensors.push_back(std::move(*tensor));
    }
    return checkCoverage(tensors);
  }

private:
  tl::unexpected<Error> bad(const std::string& why) const {
    return fail(ExitCode::Data, "Could not read " + m_file.string() + ": " + why + ".");
  }

  Result<TensorInfo> parseTensor(const std::string& name, const Json& entry) const {
    TensorInfo info;
    info.name = name;
    const auto type = jsonGet<std::string>(entry, "dtype");
    const auto shape = jsonGet<std::vector<std::int64_t>>(entry, "shape");
    const auto offsets = jsonGet<std::vector<std::uint64_t>>(entry, "data_offsets");
    if (!type || !shape || !offsets || offsets->size() != 2)
      return bad("the header entry of tensor '" + name + "' is incomplete");
    info.type = typeFromName(*type);
    if (info.type == TensorType::Unknown)
      return bad("tensor '" + name + "' has elements of type " + *type + ", which is not supported");
    info.shape = *shape;
    const auto bytes = checkedBytes(info);
    const auto [begin, end] = std::pair((*offsets)[0], (*offsets)[1]);
    if (!bytes || begin > end || end - begin != *bytes)
      return bad("shape and size of tensor '" + name + "' do not agree");
    if (end > m_dataBytes)
      return bad("tensor '" + name + "' ends beyond the end of the file, which is truncated or damaged");
    info.offset = m_dataStart + begin;
    return info;
  }

  Status checkCoverage(std::vector<TensorInfo>& tensors) const {
    std::stable_sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) { return a.offset < b.offset; });
    std::uint64_t expected = m_dataStart;
    for (const auto& tensor : tensors) {
      if (tensor.offset != expected && tensor.byteCount() > 0)
        return bad("tensor '" + tensor.name + "' overlaps another one or leaves a hole before it");
      expected += tensor.byteCount();
    }
    if (expected != m_dataStart + m_dataBytes)
      return bad("it holds bytes that belong to no tensor");
    return {};
  }

  const std::filesystem::path& m_file;
  std::uint64_t m_dataStart, m_dataBytes;
};

template <class T, class Stored> void convertAs(const std::vector<std::byte>& bytes, std::vector<T>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    out[i] = static_cast<T>(value);
  }
}
template <class T> void convertSixteen(const std::vector<std::byte>& bytes, float (*toFloat)(std::uint16_t), std::vector<T>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    out[i] = static_cast<T>(toFloat(bits));
  }
}
template <class T> void convert(TensorType type, const std::vector<std::byte>& bytes, std::vector<T>& out) {
  switch (type) {
  case TensorType::F64: return convertAs<T, double>(bytes, out);
  case TensorType::F32: return convertAs<T, float>(bytes, out);
  case TensorType::F16: return convertSixteen<T>(bytes, floatFromHalf, out);
  case TensorType::BF16: return convertSixteen<T>(bytes, floatFromBfloat16, out);
  case TensorType::I64: return convertAs<T, std::int64_t>(bytes, out);
  case TensorType::I32: return convertAs<T, std::int32_t>(bytes, out);
  case TensorType::I16: return convertAs<T, std::int16_t>(bytes, out);
  case TensorType::I8: return convertAs<T, std::int8_t>(bytes, out);
  case TensorType::U8:
  case TensorType::Bool: return convertAs<T, std::uint8_t>(bytes, out);
  case TensorType::Unknown: return;
  }
}

std::string encodeHeader(std::vector<TensorInfo>& tensors, const TensorMetadata& metadata) {
  Json header = Json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (auto& tensor : tensors) {
    header[tensor.name] = {{"dtype", tensorTypeName(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {at, at + tensor.byteCount()}}};
    tensor.offset = at;
    at += tensor.byteCount();
  }
  std::string text = compactJson(header);
  text.append((8 - text.size() % 8) % 8, ' '); // so that the data start aligned
  for (auto& tensor : tensors)
    tensor.offset += 8 + text.size();
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}
} // namespace

std::size_t elementBytes(TensorType type) {
  for (const auto& row : kTypes)
    if (row.type == type)
      return row.bytes;
  return 0;
}

const char* tensorTypeName(TensorType type) {
  for (const auto& row : kTypes)
    if (row.type == type)
      return row.name;
  return "unknown";
}

std::int64_t TensorInfo::elementCount() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

struct SafetensorsReader::FileHandle {
  int fd;
  explicit FileHandle(int descriptor) : fd(descriptor) {}
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle() { ::close(fd); }

  // Fewer bytes than asked for only at the end of the file.
  std::size_t readAt(std::uint64_t offset, void* to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t n = ::pread(fd, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }
};

Result<SafetensorsReader> SafetensorsReader::open(const std::filesystem::path& file) {
  const auto bad = [&](const std::string& why) { return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + "."); };
  // Non-blocking, so that a named pipe cannot stall the program before it is recognised as one.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return bad(std::strerror(errno));
  SafetensorsReader reader;
  reader.m_file = file;
  reader.m_handle = std::make_shared<FileHandle>(fd);
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
    return bad("it is not a regular file");
  const auto fileBytes = static_cast<std::uint64_t>(status.st_size);
  std::uint64_t length = 0;
  if (reader.m_handle->readAt(0, &length, sizeof length) != sizeof length || length > fileBytes - 8 || length > kLongestHeader || length < 2)
    return bad("it is not a safetensors file, or it is truncated");
  std::string text(length, '\0');
  if (reader.m_handle->readAt(8, text.data(), length) != length)
    return bad("its header could not be read");
  const auto header = parseJson(text, "The header of " + file.string());
  if (!header)
    return fail(header.error());
  const HeaderParser parser(file, 8 + length, fileBytes - 8 - length);
  if (auto parsed = parser.parse(*header, reader.m_tensors, reader.m_metadata); !parsed)
    return fail(parsed.error());
  for (std::size_t i = 0; i < reader.m_tensors.size(); ++i)
    reader.m_index[reader.m_tensors[i].name] = i;
  return reader;
}

const TensorInfo* SafetensorsReader::find(const std::string& name) const {
  const auto it = m_index.find(name);
  return it == m_index.end() ? nullptr : &m_tensors[it->second];
}

Status SafetensorsReader::read(const TensorInfo& tensor, std::span<std::byte> destination) const {
  if (destination.size() != tensor.byteCount())
    return fail(ExitCode::Internal, "The memory for tensor '" + tensor.name + "' has the wrong size.");
  if (m_handle->readAt(tensor.offset, destination.data(), destination.size()) != destination.size())
    return fail(ExitCode::Data, "Could not read tensor '" + tensor.name + "' of " + m_file.string() + ": the file became shorter.");
  return {};
}

template <class T> Result<std::vector<T>> SafetensorsReader::values(const std::string& name) const {
  const TensorInfo* info = find(name);
  if (!info)
    return fail(ExitCode::Data, "There is no tensor '" + name + "' in " + m_file.string() + ".");
  std::vector<std::byte> bytes(info->byteCount());
  if (auto status = read(*info, bytes); !status)
    return fail(status.error());
  std::vector<T> out(static_cast<std::size_t>(info->elementCount()));
  convert(info->type, bytes, out);
  return out;
}
template Result<std::vector<float>> SafetensorsReader::values<float>(const std::string&) const;
template Result<std::vector<double>> SafetensorsReader::values<double>(const std::string&) const;
template Result<std::vector<std::int64_t>> SafetensorsReader::values<std::int64_t>(const std::string&) const;

namespace {
Status writeAll(int fd, std::span<const std::byte> bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail(ExitCode::Data, "Could not write " + file.string() + ": " + std::strerror(errno) + ".");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}
} // namespace

Result<SafetensorsWriter> SafetensorsWriter::create(const std::filesystem::path& file, std::vector<TensorInfo> tensors,
                                                    const TensorMetadata& metadata) {
  SafetensorsWriter writer;
  writer.m_file = file;
  writer.m_temporary = temporaryBeside(file);
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const TensorInfo& a, const TensorInfo& b) { return elementBytes(a.type) > elementBytes(b.type); });
  const std::string header = encodeHeader(tensors, metadata);
  writer.m_tensors = std::move(tensors);
  std::error_code ec;
  if (!file.parent_path().empty())
    std::filesystem::create_directories(file.parent_path(), ec);
  writer.m_fd = ::open(writer.m_temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (writer.m_fd < 0)
    return fail(ExitCode::Data, "Could not create " + writer.m_temporary.string() + ": " + std::strerror(errno) + ".");
  if (auto status = writeAll(writer.m_fd, std::as_bytes(std::span(header)), file); !status)
    return fail(status.error());
  return writer;
}

SafetensorsWriter::SafetensorsWriter(SafetensorsWriter&& other) noexcept
    : m_file(std::move(other.m_file)), m_temporary(std::move(other.m_temporary)), m_tensors(std::move(other.m_tensors)),
      m_next(other.m_next), m_fd(std::exchange(other.m_fd, -1)) {}

SafetensorsWriter& SafetensorsWriter::operator=(SafetensorsWriter&& other) noexcept {
  if (this != &other) {
    abandon();
    m_file = std::move(other.m_file);
    m_temporary = std::move(other.m_temporary);
    m_tensors = std::move(other.m_tensors);
    m_next = other.m_next;
    m_fd = std::exchange(other.m_fd, -1);
  }
  return *this;
}

SafetensorsWriter::~SafetensorsWriter() { abandon(); }

void SafetensorsWriter::abandon() {
  if (m_fd < 0)
    return;
  ::close(std::exchange(m_fd, -1));
  std::error_code ec;
  std::filesystem::remove(m_temporary, ec);
}

Status SafetensorsWriter::append(std::span<const std::byte> elements) {
  if (m_next >= m_tensors.size() || elements.size() != m_tensors[m_next].byteCount())
    return fail(ExitCode::Internal, "A tensor written to " + m_file.string() + " does not have the announced size.");
  ++m_next;
  return writeAll(m_fd, elements, m_file);
}

Status SafetensorsWriter::finish() {
  if (m_next != m_tensors.size())
    return fail(ExitCode::Internal, "Not all announced tensors were written to " + m_file.string() + ".");
  if (::fsync(m_fd) != 0)
    return fail(ExitCode::Data, "Could not flush " + m_file.string() + ": " + std::strerror(errno) + ".");
  ::close(std::exchange(m_fd, -1));
  return renameIntoPlace(m_temporary, m_file);
}

Status writeSafetensors(const std::filesystem::path& file, const std::vector<TensorView>& tensors, const TensorMetadata& metadata) {
  std::vector<TensorInfo> infos;
  std::map<std::string, const void*> data;
  for (const auto& tensor : tensors) {
    infos.push_back(tensor.info);
    if (!data.emplace(tensor.info.name, tensor.data).second)
      return fail(ExitCode::Internal, "Two tensors for " + file.string() + " are called '" + tensor.info.name + "'.");
  }
  auto writer = SafetensorsWriter::create(file, std::move(infos), metadata);
  if (!writer)
    return fail(writer.error());
  for (const auto& info : writer->tensors()) {
    const auto* bytes = static_cast<const std::byte*>(data[info.name]);
    if (auto status = writer->append({bytes, info.byteCount()}); !status)
      return status;
  }
  return writer->finish();
}

} // namespace voxlab
