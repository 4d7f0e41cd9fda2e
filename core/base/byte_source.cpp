// SPDX-License-Identifier: Apache-2.0
#include "core/base/byte_source.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <zlib.h>

namespace voxlab {
namespace {
class FileSource final : public ByteSource {
public:
  FileSource(gzFile handle, std::filesystem::path file, std::uintmax_t size)
      : m_handle(handle), m_file(std::move(file)), m_size(size) {}
  ~FileSource() override { gzclose(m_handle); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    const int n = gzread(m_handle, buffer.data(), static_cast<unsigned>(std::min(buffer.size(), kMost)));
    int code = Z_OK;
    const char* text = gzerror(m_handle, &code);
    if (n < 0 || code == Z_BUF_ERROR) { // Z_BUF_ERROR: the compressed stream ends in its middle
      const char* reason = code == Z_ERRNO       ? std::strerror(errno)
                           : code == Z_BUF_ERROR ? "the compressed data end in the middle; the file was cut off"
                                                 : text;
      return fail(ExitCode::Data,
                  "Could not read " + name() + " at byte " + std::to_string(gzoffset(m_handle)) + ": " + reason + ".");
    }
    return static_cast<std::size_t>(n);
  }
  double fractionRead() const override {
    return m_size == 0 ? 1 : std::clamp(static_cast<double>(gzoffset(m_handle)) / static_cast<double>(m_size), 0.0, 1.0);
  }
  std::string name() const override { return m_file.string(); }

private:
  gzFile m_handle;
  std::filesystem::path m_file;
  std::uintmax_t m_size;
};

class TextSource final : public ByteSource {
public:
  TextSource(std::string_view text, std::string name) : m_text(text), m_name(std::move(name)) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t n = std::min(buffer.size(), m_text.size() - m_read);
    std::copy_n(m_text.data() + m_read, n, buffer.data());
    m_read += n;
    return n;
  }
  double fractionRead() const override {
    return m_text.empty() ? 1 : static_cast<double>(m_read) / static_cast<double>(m_text.size());
  }
  std::string name() const override { return m_name; }

private:
  std::string_view m_text;
  std::string m_name;
  std::size_t m_read = 0;
};
} // namespace

Result<std::unique_ptr<ByteSource>> openByteSource(const std::filesystem::path& file) {
  std::error_code ec;
  if (std::filesystem::is_directory(file, ec))
    return fail(ExitCode::Data, "Could not read " + file.string() + ": it is a folder.");
  const auto size = std::filesystem::file_size(file, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not read " + file.string() + ": " + ec.message() + ".");
  const gzFile handle = gzopen(file.c_str(), "rbe");
  if (!handle)
    return fail(ExitCode::Data, "Could not open " + file.string() + ": " + std::strerror(errno) + ".");
  gzbuffer(handle, 1u << 18);
  return std::make_unique<FileSource>(handle, file, size);
}

std::unique_ptr<ByteSource> byteSourceFromText(std::string_view text, std::string name) {
  return std::make_unique<TextSource>(text, std::move(name));
}

} // namespace voxlab
