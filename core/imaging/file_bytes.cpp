// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/file_bytes.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace voxlab {
namespace {
constexpr std::size_t kInputBytes = 256 << 10;
constexpr std::size_t kSkipBytes = 1 << 20;
constexpr std::uint64_t kDeflateRatio = 1032; // zlib's manual: the most that deflate can shrink
} // namespace

struct FileBytes::Stream {
  std::filesystem::path file;
  int fd = -1;
  std::uint64_t fileBytes = 0, position = 0, announced = 0;
  bool inflating = false, ended = false;
  ByteEncoding encoding = ByteEncoding::Plain;
  z_stream z{};
  std::vector<std::byte> input;

  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (inflating)
      inflateEnd(&z);
    if (fd >= 0)
      ::close(fd);
  }

  tl::unexpected<Error> bad(const std::string& why) const {
    return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
  }

  Status startInflating(ByteEncoding how) {
    input.resize(kInputBytes);
    if (inflateInit2(&z, how == ByteEncoding::Gzip ? 15 + 16 : 15) != Z_OK)
      return fail(ExitCode::OutOfMemory, "Could not read " + file.string() + ": no memory to decompress it.");
    encoding = how;
    inflating = true;
    return {};
  }

  Result<std::size_t> readFile(std::byte* to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t n = ::read(fd, to + done, bytes - done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return bad(std::strerror(errno));
      if (n == 0)
        break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  Status refill() {
    const auto got = readFile(input.data(), input.size());
    if (!got)
      return fail(got.error());
    z.next_in = reinterpret_cast<Bytef*>(input.data());
    z.avail_in = static_cast<uInt>(*got);
    return {};
  }

  // After one gzip member: another one may follow (pigz, bgzip); anything else is padding and is ignored, as gzip does.
  Status nextMember() {
    if (encoding == ByteEncoding::Zlib) {
      ended = true;
      return {};
    }
    if (z.avail_in < 2) {
      std::array<std::byte, 2> rest{};
      const std::size_t kept = z.avail_in;
      if (kept == 1)
        rest[0] = static_cast<std::byte>(*z.next_in);
      const auto got = readFile(input.data() + kept, input.size() - kept);
      if (!got)
        return fail(got.error());
      input[0] = kept == 1 ? rest[0] : input[0];
      z.next_in = reinterpret_cast<Bytef*>(input.data());
      z.avail_in = static_cast<uInt>(kept + *got);
    }
    ended = z.avail_in < 2 || z.next_in[0] != 0x1f || z.next_in[1] != 0x8b;
    if (!ended)
      inflateReset(&z);
    return {};
  }

  Result<std::size_t> inflateInto(std::byte* to, std::size_t bytes) {
    z.next_out = reinterpret_cast<Bytef*>(to);
    z.avail_out = static_cast<uInt>(bytes);
    while (z.avail_out > 0 && !ended) {
      if (z.avail_in == 0)
        if (auto status = refill(); !status)
          return fail(status.error());
      if (z.avail_in == 0)
        return bad("its compressed data end early; the file is truncated");
      const int rc = inflate(&z, Z_NO_FLUSH);
      if (rc == Z_STREAM_END) {
        if (auto status = nextMember(); !status)
          return fail(status.error());
      } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
        return bad(std::string("its compressed data are damaged (") + (z.msg ? z.msg : "inflate failed") + ")");
      }
    }
    return bytes - z.avail_out;
  }
};

FileBytes::FileBytes(std::unique_ptr<Stream> stream) : m_stream(std::move(stream)) {}
FileBytes::FileBytes(FileBytes&&) noexcept = default;
FileBytes& FileBytes::operator=(FileBytes&&) noexcept = default;
FileBytes::~FileBytes() = default;

Result<std::unique_ptr<FileBytes::Stream>> FileBytes::openStream(const std::filesystem::path& file) {
  auto stream = std::make_unique<Stream>();
  Stream& s = *stream;
  s.file = file;
  s.fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe must not stall
  if (s.fd < 0)
    return s.bad(std::strerror(errno));
  struct stat status {};
  if (::fstat(s.fd, &status) != 0)
    return s.bad(std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    return s.bad("it is a folder");
  if (!S_ISREG(status.st_mode))
    return s.bad("it is not a regular file");
  s.fileBytes = s.announced = static_cast<std::uint64_t>(status.st_size);
  if (s.fileBytes == 0)
    return s.bad("it is empty (zero bytes)");
  return stream;
}

Result<FileBytes> FileBytes::open(const std::filesystem::path& file) {
  auto stream = openStream(file);
  if (!stream)
    return fail(stream.error());
  Stream& s = **stream;
  std::array<unsigned char, 2> magic{};
  if (::pread(s.fd, magic.data(), 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
    std::array<unsigned char, 4> length{};
    if (s.fileBytes < 18 || ::pread(s.fd, length.data(), 4, static_cast<off_t>(s.fileBytes - 4)) != 4)
      return s.bad("its compressed data end early; the file is truncated");
    if (auto started = s.startInflating(ByteEncoding::Gzip); !started)
      return fail(started.error());
    s.announced = length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::uint64_t>(length[3]) << 24;
  }
  return FileBytes(std::move(*stream));
}

Result<FileBytes> FileBytes::openAt(const std::filesystem::path& file, std::uint64_t offset, ByteEncoding encoding) {
  auto stream = openStream(file);
  if (!stream)
    return fail(stream.error());
  Stream& s = **stream;
  if (offset > s.fileBytes)
    return s.bad("it ends before its voxels begin; the file is truncated or its header is wrong");
  if (::lseek(s.fd, static_cast<off_t>(offset), SEEK_SET) < 0)
    return s.bad(std::strerror(errno));
  s.fileBytes -= offset;
  s.announced = s.fileBytes;
  if (encoding != ByteEncoding::Plain)
    if (auto started = s.startInflating(encoding); !started)
      return fail(started.error());
  return FileBytes(std::move(*stream));
}

Result<std::size_t> FileBytes::read(std::span<std::byte> buffer) {
  const auto got =
      m_stream->inflating ? m_stream->inflateInto(buffer.data(), buffer.size()) : m_stream->readFile(buffer.data(), buffer.size());
  if (got)
    m_stream->position += *got;
  return got;
}

Status FileBytes::skip(std::uint64_t bytes, const std::stop_token& cancel) {
  if (bytes > mostBytes() - std::min(mostBytes(), position()))
    return m_stream->bad("it ends before its voxels begin; the file is truncated or its header is wrong");
  if (!compressed()) {
    if (::lseek(m_stream->fd, static_cast<off_t>(bytes), SEEK_CUR) < 0)
      return m_stream->bad(std::strerror(errno));
    m_stream->position += bytes;
    return {};
  }
  std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kSkipBytes)));
  while (bytes > 0) {
    if (cancel.stop_requested())
      return fail(ExitCode::Stopped, "Reading " + file().string() + " was cancelled.");
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block.size()));
    const auto got = read({block.data(), want});
    if (!got)
      return fail(got.error());
    if (*got < want)
      return m_stream->bad("it ends before its voxels begin; the file is truncated or its header is wrong");
    bytes -= want;
  }
  return {};
}

Status FileBytes::drain(std::uint64_t limitBytes, const std::stop_token& cancel) {
  if (!compressed())
    return {};
  std::vector<std::byte> block(kSkipBytes);
  for (std::uint64_t done = 0; done < limitBytes && !m_stream->ended;) {
    if (cancel.stop_requested())
      return fail(ExitCode::Stopped, "Reading " + file().string() + " was cancelled.");
    const auto got = read(block);
    if (!got)
      return fail(got.error());
    done += *got;
  }
  return {};
}

bool FileBytes::compressed() const { return m_stream->inflating; }
const std::filesystem::path& FileBytes::file() const { return m_stream->file; }
std::uint64_t FileBytes::position() const { return m_stream->position; }
std::uint64_t FileBytes::mostBytes() const {
  return m_stream->inflating ? m_stream->fileBytes * kDeflateRatio : m_stream->fileBytes;
}
std::uint64_t FileBytes::announcedBytes() const { return m_stream->announced; }

} // namespace voxlab
