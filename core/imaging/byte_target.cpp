// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/byte_target.h"
#include "core/base/files.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace voxlab {
namespace {
constexpr int kLevel = 3; // synthetic voxels are noisy: higher levels take long and gain little
constexpr std::size_t kOutputBytes = 256 << 10;
} // namespace

struct ByteTarget::Stream {
  std::filesystem::path file, temporary;
  int fd = -1;
  bool gzip = false;
  z_stream z{};
  std::vector<std::byte> output;

  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (gzip)
      deflateEnd(&z);
    if (fd < 0)
      return;
    ::close(fd);
    std::error_code ec;
    std::filesystem::remove(temporary, ec);
  }

  tl::unexpected<Error> bad(const std::string& what) const {
    return fail(ExitCode::Data, "Could not " + what + " " + file.string() + ": " + std::strerror(errno) + ".");
  }

  Status writeFile(const std::byte* from, std::size_t bytes) const {
    while (bytes > 0) {
      const ssize_t n = ::write(fd, from, bytes);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return bad("write");
      from += n;
      bytes -= static_cast<std::size_t>(n);
    }
    return {};
  }

  Status deflateAll(std::span<const std::byte> bytes, int flush) {
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    do {
      z.next_out = reinterpret_cast<Bytef*>(output.data());
      z.avail_out = static_cast<uInt>(output.size());
      deflate(&z, flush);
      if (auto status = writeFile(output.data(), output.size() - z.avail_out); !status)
        return status;
    } while (z.avail_out == 0);
    return {};
  }
};

ByteTarget::ByteTarget(std::unique_ptr<Stream> stream) : m_stream(std::move(stream)) {}
ByteTarget::ByteTarget(ByteTarget&&) noexcept = default;
ByteTarget::~ByteTarget() = default;

Result<ByteTarget> ByteTarget::create(const std::filesystem::path& file, Compression compression) {
  auto stream = std::make_unique<Stream>();
  stream->file = file;
  stream->temporary = temporaryBeside(file);
  std::error_code ec;
  if (!file.parent_path().empty())
    std::filesystem::create_directories(file.parent_path(), ec);
  stream->fd = ::open(stream->temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (stream->fd < 0)
    return stream->bad("create");
  if (compression == Compression::Gzip) {
    stream->output.resize(kOutputBytes);
    if (deflateInit2(&stream->z, kLevel, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      return fail(ExitCode::OutOfMemory, "Could not write " + file.string() + ": no memory to compress it.");
    stream->gzip = true;
  }
  return ByteTarget(std::move(stream));
}

Status ByteTarget::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = 1 << 30; // what zlib counts in one call
  while (m_stream->gzip && !bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMost));
    if (auto status = m_stream->deflateAll(part, Z_NO_FLUSH); !status)
      return status;
    bytes = bytes.subspan(part.size());
  }
  return m_stream->writeFile(bytes.data(), bytes.size());
}

Status ByteTarget::finish() {
  if (m_stream->gzip)
    if (auto status = m_stream->deflateAll({}, Z_FINISH); !status)
      return status;
  if (::fsync(m_stream->fd) != 0)
    return m_stream->bad("flush");
  ::close(std::exchange(m_stream->fd, -1));
  auto renamed = renameIntoPlace(m_stream->temporary, m_stream->file);
  if (!renamed) {
    std::error_code ec;
    std::filesystem::remove(m_stream->temporary, ec);
  }
  return renamed;
}

} // namespace voxlab
