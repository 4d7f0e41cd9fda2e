// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/scrub.h"
#include "core/base/byte_source.h"
#include <algorithm>
#include <array>
#include <vector>
#include <zlib.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

// Words of a sentence end here; names of files may hold anything else.
constexpr std::string_view kBeforePath = " \t\n\"'=([{,;:<|", kAfterPath = " \t\n\"'=()[]{},;:<>|";

bool namesSomebody(const std::string& key) {
  constexpr std::array<std::string_view, 6> kKeys{"host", "hostname", "host_name", "user", "username", "boot_id"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

// "/home/ann" and "/Users/ann/": the last name is somebody's.
bool isHome(std::string_view path) {
  for (const std::string_view homes : {"/home/", "/Users/"})
    if (path.starts_with(homes) && path.find('/', homes.size()) >= path.size() - 1)
      return true;
  return false;
}

// What a member's value or a line has become, part by part.
class Scrubber {
public:
  virtual ~Scrubber() = default;
  virtual void add(std::string_view text, std::string& out) = 0;
  virtual void finish(std::string& out) = 0;
};

class LineScrubber final : public Scrubber {
public:
  void add(std::string_view text, std::string& out) override {
    for (const char c : text) {
      m_line += c;
      if (c == '\n')
        finish(out);
    }
  }
  void finish(std::string& out) override {
    out += withoutPaths(m_line);
    m_line.clear();
  }

private:
  std::string m_line;
};

// Knows of JSON no more than where strings are and which of them are keys, so that broken files come through, too.
class JsonScrubber final : public Scrubber {
public:
  void add(std::string_view text, std::string& out) override {
    for (const char c : text)
      m_inside ? take(c, out) : pass(c, out);
  }
  void finish(std::string& out) override {
    if (m_inside) // cut off: nobody knows what it said
      out += "\"\"";
  }

private:
  void pass(char c, std::string& out) {
    if (c == '"') {
      m_inside = true;
      m_string.clear();
      return;
    }
    if (c == ':')
      m_key = m_string;
    else if (c == ',' || c == '{' || c == '[' || c == '}' || c == ']')
      m_key.clear();
    out += c;
  }

  void take(char c, std::string& out) {
    if (c != '"' || m_escaped) {
      m_escaped = c == '\\' && !m_escaped;
      m_string += c;
      return;
    }
    m_inside = false;
    out += '"' + (namesSomebody(m_key) ? std::string() : scrubbed(m_string)) + '"';
  }

  static std::string scrubbed(const std::string& raw) {
    if (raw.find('/') == std::string::npos)
      return raw;
    if (raw.find('\\') == std::string::npos)
      return withoutPaths(raw);
    const auto value = parseJson('"' + raw + '"', "string");
    const std::string text = value ? compactJson(withoutPaths(value->get<std::string>())) : "\"\"";
    return text.substr(1, text.size() - 2);
  }

  std::string m_string, m_key;
  bool m_inside = false, m_escaped = false;
};

// Compresses what it is given, or takes it as it is.
class Packer {
public:
  explicit Packer(bool compress) : m_compress(compress) {
    constexpr int kGzip = 16;
    if (m_compress)
      m_good = deflateInit2(&m_stream, 6, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Packer() {
    if (m_compress)
      deflateEnd(&m_stream);
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  void add(std::string& text, int flush) {
    if (!m_compress) {
      m_bytes += text;
    } else {
      m_stream.next_in = reinterpret_cast<Bytef*>(text.data());
      m_stream.avail_in = static_cast<uInt>(text.size());
      do {
        m_stream.next_out = reinterpret_cast<Bytef*>(m_buffer.data());
        m_stream.avail_out = static_cast<uInt>(m_buffer.size());
        m_good = m_good && deflate(&m_stream, flush) != Z_STREAM_ERROR;
        m_bytes.append(m_buffer.data(), m_buffer.size() - m_stream.avail_out);
      } while (m_good && m_stream.avail_out == 0);
    }
    text.clear();
  }
  Result<std::string> take(const fs::path& file) {
    return m_good ? Result<std::string>(std::move(m_bytes)) : fail(ExitCode::Internal, file.string() + " could not be compressed.");
  }

private:
  bool m_compress, m_good = true;
  z_stream m_stream{};
  std::string m_bytes;
  std::vector<char> m_buffer = std::vector<char>(1u << 16);
};
} // namespace

std::string withoutPaths(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = text[at] == '/' && (at == 0 || kBeforePath.find(text[at - 1]) != std::string_view::npos);
    const bool whole = begins && at == 0 && text.find('\n') == std::string::npos && text.find(": ") == std::string::npos; // a path by itself may have spaces
    const std::size_t end = !begins ? at : whole ? text.size() : std::min(text.size(), text.find_first_of(kAfterPath, at));
    const std::string word = text.substr(at, end - at);
    const std::size_t last = word.find_last_of('/', word.size() - 2);
    if (!begins || last == std::string::npos || last == 0) {
      out += text[at++];
      continue;
    }
    out += isHome(word) ? "…" : "…" + word.substr(last);
    at = end;
  }
  return out;
}

Json jsonWithoutPaths(const Json& json) {
  if (json.is_string())
    return withoutPaths(json.get<std::string>());
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& entry : json)
      out.push_back(jsonWithoutPaths(entry));
    return out;
  }
  if (!json.is_object())
    return json;
  Json out = Json::object();
  for (const auto& [key, value] : json.items())
    if (!namesSomebody(key))
      out[key] = jsonWithoutPaths(value);
  return out;
}

Result<std::string> withoutPathsInFile(const fs::path& file) {
  const auto source = openByteSource(file);
  if (!source)
    return fail(source.error());
  const bool compressed = file.extension() == ".gz";
  std::unique_ptr<Scrubber> scrubber;
  if ((compressed ? file.stem() : file).extension() == ".json")
    scrubber = std::make_unique<JsonScrubber>();
  else
    scrubber = std::make_unique<LineScrubber>();
  Packer packer(compressed);
  std::vector<char> buffer(1u << 18);
  std::string clean;
  for (;;) {
    const auto count = (*source)->read(buffer);
    if (!count)
      return fail(count.error());
    if (*count == 0)
      break;
    scrubber->add({buffer.data(), *count}, clean);
    packer.add(clean, Z_NO_FLUSH);
  }
  scrubber->finish(clean);
  packer.add(clean, Z_FINISH);
  return packer.take(file);
}

} // namespace voxlab
