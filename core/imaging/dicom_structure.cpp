// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dicom_structure.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace voxlab {
namespace {
constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::uint32_t kItem = dicomTag(0xfffe, 0xe000), kItemEnd = dicomTag(0xfffe, 0xe00d), kSequenceEnd = dicomTag(0xfffe, 0xe0dd);
constexpr std::uint32_t kTransferSyntax = dicomTag(0x0002, 0x0010), kPixelData = dicomTag(0x7fe0, 0x0010);
constexpr std::uint32_t kSharedGroups = dicomTag(0x5200, 0x9229), kFrameGroups = dicomTag(0x5200, 0x9230);
// Position, orientation, spacing, thickness, distance, slope, intercept.
constexpr std::array<std::uint32_t, 7> kGroupedTags{dicomTag(0x0020, 0x0032), dicomTag(0x0020, 0x0037), dicomTag(0x0028, 0x0030), dicomTag(0x0018, 0x0050),
                                                    dicomTag(0x0018, 0x0088), dicomTag(0x0028, 0x1053), dicomTag(0x0028, 0x1052)};
// Implicit files do not name types: these are 16-bit numbers, everything else that is used here is text.
constexpr std::array<std::uint32_t, 8> kShortNumbers{dicomTag(0x0028, 0x0002), dicomTag(0x0028, 0x0006), dicomTag(0x0028, 0x0010), dicomTag(0x0028, 0x0011),
                                                     dicomTag(0x0028, 0x0100), dicomTag(0x0028, 0x0101), dicomTag(0x0028, 0x0102), dicomTag(0x0028, 0x0103)};
constexpr int kDeepest = 32;
constexpr std::size_t kMostElements = 200'000, kLongestValue = 256;

enum class Encoding { Unknown, ImplicitLittle, ExplicitLittle, ExplicitBig };

struct Damage {
  std::string why;
};

// Bytes of the file by position, through a small window.
class FileWindow {
public:
  explicit FileWindow(int fd, std::uint64_t size) : m_fd(fd), m_size(size), m_bytes(64 << 10) {}
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;
  ~FileWindow() { ::close(m_fd); }
  std::uint64_t size() const { return m_size; }

  std::span<const unsigned char> at(std::uint64_t position, std::size_t count) {
    if (count > m_size || position > m_size - count)
      throw Damage{"it ends in the middle of an element"};
    if (position < m_start || position + count > m_start + m_length) {
      m_start = position;
      const ssize_t got = ::pread(m_fd, m_bytes.data(), m_bytes.size(), static_cast<off_t>(position));
      m_length = got < 0 ? 0 : static_cast<std::uint64_t>(got);
      if (m_length < count)
        throw Damage{"it could not be read to its end"};
    }
    return {m_bytes.data() + (position - m_start), count};
  }

private:
  int m_fd;
  std::uint64_t m_size, m_start = 0, m_length = 0;
  std::vector<unsigned char> m_bytes;
};

struct Element {
  std::uint32_t tag = 0, length = 0;
  std::array<char, 2> vr{'U', 'N'};
  std::uint64_t value = 0; // position of the value
};

class Walker {
public:
  Walker(FileWindow& file, DicomStructure& out) : m_file(file), m_out(out) {}

  void run() {
    std::uint64_t position = 0;
    if (m_file.size() >= 132 && magicAt(128))
      position = metaInformation(132);
    else
      m_encoding = guess(0);
    m_out.bigEndian = m_encoding == Encoding::ExplicitBig;
    position = elements(position, m_file.size(), 0);
    if (position != m_file.size() && !m_out.hasPixels)
      throw Damage{"it ends in the middle of an element"};
  }

private:
  bool magicAt(std::uint64_t position) {
    const auto bytes = m_file.at(position, 4);
    return std::memcmp(bytes.data(), "DICM", 4) == 0;
  }
  std::uint32_t number(std::uint64_t position, std::size_t bytes) {
    const auto raw = m_file.at(position, bytes);
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < bytes; ++n)
      value = value << 8 | raw[m_encoding == Encoding::ExplicitBig ? n : bytes - 1 - n];
    return value;
  }

  // Files without preamble: the first element of a data set has a low group; letters after the tag mean explicit types.
  Encoding guess(std::uint64_t position) {
    const auto raw = m_file.at(position, 8);
    const bool letters = std::isupper(raw[4]) && std::isupper(raw[5]);
    if (raw[1] == 0 && raw[0] <= 0x10)
      return letters ? Encoding::ExplicitLittle : Encoding::ImplicitLittle;
    if (raw[0] == 0 && raw[1] <= 0x10 && letters)
      return Encoding::ExplicitBig;
    throw Damage{"it is no DICOM file"};
  }

  // Group 2 is always explicit and little-endian, and says how the rest is encoded.
  std::uint64_t metaInformation(std::uint64_t position) {
    m_encoding = Encoding::ExplicitLittle;
    while (position + 8 <= m_file.size() && number(position, 2) == 0x0002) {
      const Element element = read(position);
      if (element.length == kUndefined)
        throw Damage{"its meta information is damaged"};
      keep(element);
      position = element.value + element.length;
    }
    m_out.transferSyntax = m_out.text(kTransferSyntax);
    if (m_out.transferSyntax == "1.2.840.10008.1.2.1.99")
      throw Damage{"its data set is deflated, which is not supported"};
    if (m_out.transferSyntax == "1.2.840.10008.1.2.2")
      m_encoding = Encoding::ExplicitBig;
    else if (m_out.transferSyntax == "1.2.840.10008.1.2")
      m_encoding = Encoding::ImplicitLittle;
    else if (m_out.transferSyntax.empty())
      m_encoding = guess(position);
    return position;
  }

  static bool hasLongLength(const std::array<char, 2>& vr) {
    static constexpr std::array<std::string_view, 13> kLong{"OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"};
    return std::find(kLong.begin(), kLong.end(), std::string_view(vr.data(), 2)) != kLong.end();
  }

  Element read(std::uint64_t position) {
    if (++m_count > kMostElements)
      throw Damage{"it has more elements than any image"};
    Element e;
    e.tag = number(position, 2) << 16 | number(position + 2, 2);
    const bool plain = m_encoding == Encoding::ImplicitLittle || e.tag == kItem || e.tag == kItemEnd || e.tag == kSequenceEnd;
    if (plain) {
      e.length = number(position + 4, 4);
      e.value = position + 8;
    } else {
      const auto letters = m_file.at(position + 4, 2);
      e.vr = {static_cast<char>(letters[0]), static_cast<char>(letters[1])};
      if (!std::isupper(letters[0]) || !std::isupper(letters[1]))
        throw Damage{"an element has no valid type"};
      const bool isLong = hasLongLength(e.vr);
      e.length = isLong ? number(position + 8, 4) : number(position + 6, 2);
      e.value = position + (isLong ? 12 : 8);
    }
    if (e.length != kUndefined && e.length > m_file.size() - std::min(m_file.size(), e.value))
      throw Damage{"element " + words(e.tag) + " reaches beyond the end of the file, which is truncated or damaged"};
    return e;
  }

  static std::string words(std::uint32_t tag) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "(%04x,%04x)", tag >> 16, tag & 0xffff);
    return text.data();
  }

  std::string valueOf(const Element& e) {
    if (e.length == 2 && std::find(kShortNumbers.begin(), kShortNumbers.end(), e.tag) != kShortNumbers.end())
      return std::to_string(number(e.value, 2));
    std::string text;
    if (e.length > 0)
      for (const unsigned char c : m_file.at(e.value, e.length))
        text += c < 32 || c > 126 ? ' ' : static_cast<char>(c);
    return trimmed(text);
  }

  void keep(const Element& e) {
    if (e.length > kLongestValue)
      return;
    if (m_inGroups) {
      if (std::find(kGroupedTags.begin(), kGroupedTags.end(), e.tag) != kGroupedTags.end())
        m_out.grouped[e.tag].push_back(valueOf(e));
    } else {
      m_out.values[e.tag] = valueOf(e);
    }
  }

  // Elements from `position` to `end`; stops at an item's end if the length of the item is open. Returns where it stopped.
  std::uint64_t elements(std::uint64_t position, std::uint64_t end, int depth) {
    if (depth > kDeepest)
      throw Damage{"its sequences are nested too deeply"};
    while (position < end) {
      if (depth == 0 && end - position < 8)
        return position;
      const Element e = read(position);
      if (e.tag == kItemEnd || e.tag == kSequenceEnd)
        return e.value;
      if (depth == 0 && e.tag == kPixelData) {
        position = pixels(e);
        m_out.hasPixels = true;
        return position; // what follows is padding or signatures
      }
      const bool sequence = e.vr == std::array{'S', 'Q'} || e.length == kUndefined;
      if (sequence) {
        const bool groups = depth == 0 && (e.tag == kSharedGroups || e.tag == kFrameGroups);
        m_inGroups = m_inGroups || groups;
        position = items(e, depth + 1);
        m_inGroups = m_inGroups && !groups;
      } else {
        if (depth == 0 || m_inGroups)
          keep(e);
        position = e.value + e.length;
      }
    }
    return position;
  }

  std::uint64_t items(const Element& sequence, int depth) {
    // A sequence of unknown type and open length is implicit inside, whatever the rest is (PS3.5, 6.2.2).
    const Encoding outside = m_encoding;
    if (sequence.vr == std::array{'U', 'N'} && sequence.length == kUndefined)
      m_encoding = Encoding::ImplicitLittle;
    const std::uint64_t end = sequence.length == kUndefined ? m_file.size() : sequence.value + sequence.length;
    std::uint64_t position = sequence.value;
    bool closed = sequence.length != kUndefined;
    while (position < end) {
      const Element item = read(position);
      position = item.value;
      if (item.tag == kSequenceEnd) {
        closed = true;
        break;
      }
      if (item.tag != kItem)
        throw Damage{"a sequence holds something that is no item"};
      position = elements(position, item.length == kUndefined ? end : item.value + item.length, depth);
    }
    m_encoding = outside;
    if (!closed)
      throw Damage{"a sequence has no end"};
    return position;
  }

  std::uint64_t pixels(const Element& e) {
    if (e.length != kUndefined) {
      m_out.pixels = {e.value, e.length};
      return e.value + e.length;
    }
    m_out.compressed = true;
    std::uint64_t position = e.value;
    for (;;) {
      const Element fragment = read(position);
      position = fragment.value;
      if (fragment.tag == kSequenceEnd)
        return position;
      if (fragment.tag != kItem || fragment.length == kUndefined)
        throw Damage{"its compressed pixels are damaged"};
      m_out.fragments.push_back({fragment.value, fragment.length});
      position += fragment.length;
    }
  }

  FileWindow& m_file;
  DicomStructure& m_out;
  Encoding m_encoding = Encoding::Unknown;
  std::size_t m_count = 0;
  bool m_inGroups = false;
};
} // namespace

std::string DicomStructure::text(std::uint32_t tag) const {
  const auto it = values.find(tag);
  return it == values.end() ? std::string{} : it->second;
}

std::uint64_t DicomStructure::pixelBytes() const {
  std::uint64_t sum = pixels.bytes;
  for (const auto& fragment : fragments)
    sum += fragment.bytes;
  return sum;
}

namespace {
std::vector<double> parsed(const std::string& text) {
  std::vector<double> out;
  if (!text.empty())
    for (const auto& part : split(text, '\\'))
      out.push_back(std::strtod(part.c_str(), nullptr));
  return out;
}
} // namespace

std::vector<double> DicomStructure::numbers(std::uint32_t tag) const { return parsed(text(tag)); }

double DicomStructure::number(std::uint32_t tag, double otherwise) const {
  const auto all = numbers(tag);
  return all.empty() ? otherwise : all.front();
}

std::vector<double> DicomStructure::numbersOfFrame(std::uint32_t tag, std::size_t frame) const {
  const auto it = grouped.find(tag);
  if (it == grouped.end() || it->second.empty())
    return numbers(tag);
  return parsed(it->second[std::min(frame, it->second.size() - 1)]);
}

Result<DicomStructure> walkDicom(const std::filesystem::path& file) {
  const auto bad = [&](const std::string& why) { return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + "."); };
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return bad(std::strerror(errno));
  struct stat status {};
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  FileWindow window(fd, regular ? static_cast<std::uint64_t>(status.st_size) : 0); // closes the file
  if (!regular)
    return bad("it is no regular file");
  if (window.size() == 0)
    return bad("it is empty (zero bytes)");
  DicomStructure out;
  try {
    Walker(window, out).run();
  } catch (const Damage& damage) {
    return bad(damage.why);
  }
  return out;
}

} // namespace voxlab
