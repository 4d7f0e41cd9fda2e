// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace voxlab {
namespace {
constexpr const char* kTemporary = ".tmp-"; // NAME.tmp-PID

tl::unexpected<Error> failErrno(const std::string& what, const std::filesystem::path& file) {
  return fail(ExitCode::Data, what + " " + file.string() + ": " + std::strerror(errno) + ".");
}

Status writeAll(int fd, std::string_view bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return failErrno("Could not write", file);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}
} // namespace

Result<std::string> readTextFile(const std::filesystem::path& file, std::uintmax_t limitBytes) {
  std::error_code ec;
  if (std::filesystem::is_directory(file, ec))
    return fail(ExitCode::Data, "Could not read " + file.string() + ": it is a folder.");
  const auto size = std::filesystem::file_size(file, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not read " + file.string() + ": " + ec.message() + ".");
  if (size > limitBytes)
    return fail(ExitCode::Data, "Could not read " + file.string() + ": its " + std::to_string(size) + " bytes exceed the limit of " +
                                    std::to_string(limitBytes) + ".");
  std::ifstream in(file, std::ios::binary);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in && !in.eof())
    return failErrno("Could not read", file);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::filesystem::path temporaryBeside(const std::filesystem::path& file) {
  auto name = file.filename();
  name += kTemporary + std::to_string(::getpid());
  return file.parent_path() / name;
}

bool isTemporary(const std::filesystem::path& file) {
  return file.filename().native().find(kTemporary) != std::string::npos;
}

void removeTemporaries(const std::filesystem::path& folder, Below below) {
  std::error_code ec;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    const bool temporary = isTemporary(it->path());
    if (temporary)
      found.push_back(it->path());
    if (temporary || below == Below::Folder)
      it.disable_recursion_pending();
  }
  for (const auto& path : found)
    std::filesystem::remove_all(path, ec);
}

Status syncToDisk(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return failErrno("Could not flush", path);
  const int rc = ::fsync(fd);
  ::close(fd);
  // Some file systems refuse to flush folders; the rename itself is then the best there is.
  if (rc != 0 && errno != EINVAL && errno != EROFS)
    return failErrno("Could not flush", path);
  return {};
}

Status renameIntoPlace(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code ec;
  std::filesystem::rename(from, to, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not rename " + from.string() + " to " + to.string() + ": " + ec.message() + ".");
  return syncToDisk(to.parent_path().empty() ? std::filesystem::path(".") : to.parent_path());
}

Status writeFileAtomically(const std::filesystem::path& file, std::string_view bytes) {
  std::error_code ec;
  if (!file.parent_path().empty())
    std::filesystem::create_directories(file.parent_path(), ec);
  const auto temporary = temporaryBeside(file);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0)
    return failErrno("Could not create", temporary);
  Status status = writeAll(fd, bytes, temporary);
  if (status && ::fsync(fd) != 0)
    status = failErrno("Could not flush", temporary);
  ::close(fd);
  if (status)
    status = renameIntoPlace(temporary, file);
  if (!status)
    std::filesystem::remove(temporary, ec);
  return status;
}

} // namespace voxlab
