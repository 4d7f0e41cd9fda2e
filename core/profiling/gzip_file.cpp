// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/gzip_file.h"
#include "core/base/files.h"
#include <fstream>
#include <memory>
#include <vector>
#include <zlib.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

bool isGzip(std::ifstream& in) {
  char magic[2]{};
  in.read(magic, 2);
  const bool is = in.gcount() == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
  in.clear();
  in.seekg(0);
  return is;
}

Status cannotWrite(const fs::path& file) {
  return fail(ExitCode::Data, file.string() + " could not be written; the disk may be full.");
}

Status pump(std::ifstream& in, gzFile_s* out, const fs::path& from, const fs::path& to, const CopyOptions& options) {
  std::error_code ec;
  const auto size = static_cast<double>(fs::file_size(from, ec));
  std::vector<char> buffer(1 << 18);
  double done = 0;
  while (in) {
    if (options.cancel.stop_requested())
      return fail(ExitCode::Stopped, "Copying " + from.string() + " was cancelled.");
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<unsigned>(in.gcount());
    if (count > 0 && gzwrite(out, buffer.data(), count) != static_cast<int>(count))
      return cannotWrite(to);
    done += count;
    if (options.progress && size > 0)
      options.progress(done / size);
  }
  return in.eof() ? Status() : fail(ExitCode::Data, from.string() + " cannot be read to its end.");
}
} // namespace

Status gzipFile(const fs::path& from, const fs::path& to, const CopyOptions& options) {
  std::ifstream in(from, std::ios::binary);
  if (!in)
    return fail(ExitCode::Data, from.string() + " cannot be read.");
  std::error_code ec;
  fs::create_directories(to.parent_path(), ec);
  const fs::path unfinished = temporaryBeside(to);
  const std::string how = isGzip(in) ? "wbT" : "wb" + std::to_string(options.level); // T: as it is
  std::unique_ptr<gzFile_s, CloseGzip> out(gzopen(unfinished.c_str(), how.c_str()));
  if (!out)
    return cannotWrite(to);
  Status status = pump(in, out.get(), from, to, options);
  if (gzclose(out.release()) != Z_OK && status)
    status = cannotWrite(to);
  if (status)
    return renameIntoPlace(unfinished, to);
  fs::remove(unfinished, ec);
  return status;
}

} // namespace voxlab
