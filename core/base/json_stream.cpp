// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_stream.h"
#include "core/base/json.h"
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace voxlab {
namespace {
constexpr std::size_t kBlock = 1u << 18;

// The bytes of the source with words that JSON lacks (nan, inf, Infinity) replaced by null, outside strings only.
class Reader {
public:
  Reader(ByteSource& source, const JsonStreamOptions& options) : m_source(source), m_options(options), m_block(kBlock) {}

  int get() {
    if (m_pending < m_word.size())
      return static_cast<unsigned char>(m_word[m_pending++]);
    const int c = next();
    if (m_inString) {
      if (m_escaped)
        m_escaped = false;
      else if (c == '\\')
        m_escaped = true;
      else if (c == '"')
        m_inString = false;
      return c >= 0x80 ? startsCharacter(c) : c;
    }
    if (c == '"')
      m_inString = true;
    else if (c == '-' || c == '+' || std::isalpha(c))
      return startsWord(c);
    return c;
  }

  std::uint64_t replaced() const { return m_replaced; }
  void valueSeen() { m_lastValue = m_offset; }
  std::uint64_t offset() const { return m_offset; }
  const std::optional<Error>& error() const { return m_error; }

private:
  // A number's exponent is a letter too: only a letter after a separator, or after a sign there, starts a word.
  int startsWord(int first) {
    if (std::isdigit(m_previous) || m_previous == '.' || (m_previous == 'e' || m_previous == 'E'))
      return first;
    m_word.assign(1, static_cast<char>(first));
    while (m_word.size() < 16 && std::isalpha(peek()))
      m_word += static_cast<char>(next());
    std::string bare;
    for (const char letter : m_word)
      if (std::isalpha(static_cast<unsigned char>(letter)))
        bare += static_cast<char>(std::tolower(letter));
    if (bare == "nan" || bare == "inf" || bare == "infinity")
      m_word = "null";
    m_pending = 1;
    return static_cast<unsigned char>(m_word[0]);
  }

  // A character of several bytes, or U+FFFD for as much of it as is there.
  int startsCharacter(int first) {
    m_word.assign(1, static_cast<char>(first));
    const int length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
    int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80, high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; // of the second byte
    while (static_cast<int>(m_word.size()) < length && peek() >= low && peek() <= high) {
      m_word += static_cast<char>(next());
      low = 0x80;
      high = 0xbf;
    }
    if (static_cast<int>(m_word.size()) != length) {
      m_word = "\xef\xbf\xbd";
      ++m_replaced;
    }
    m_pending = 1;
    return static_cast<unsigned char>(m_word[0]);
  }

  int peek() {
    if (m_position == m_size && !refill())
      return EOF;
    return static_cast<unsigned char>(m_block[m_position]);
  }

  int next() {
    m_previous = m_current;
    m_current = peek();
    if (m_current != EOF) {
      ++m_position;
      ++m_offset;
    }
    return m_current;
  }

  bool refill() {
    if (m_ended)
      return false;
    m_ended = true;
    if (m_options.cancel.stop_requested()) {
      m_error = Error{ExitCode::Stopped, "Reading " + m_source.name() + " was cancelled."};
      return false;
    }
    if (m_offset - m_lastValue > m_options.maximumValueBytes) {
      m_error = Error{ExitCode::Data, m_source.name() + " holds a single value of more than " +
                                          std::to_string(m_options.maximumValueBytes >> 20) + " MB at byte " +
                                          std::to_string(m_lastValue) + " and was not read."};
      return false;
    }
    const auto n = m_source.read(m_block);
    if (!n) {
      m_error = n.error();
      return false;
    }
    if (m_options.progress)
      m_options.progress(m_source.fractionRead());
    m_position = 0;
    m_size = *n;
    m_ended = *n == 0;
    return *n > 0;
  }

  ByteSource& m_source;
  const JsonStreamOptions& m_options;
  std::vector<char> m_block;
  std::size_t m_position = 0, m_size = 0, m_pending = 0;
  std::uint64_t m_offset = 0, m_lastValue = 0, m_replaced = 0;
  std::string m_word;
  int m_current = ' ', m_previous = ' ';
  bool m_inString = false, m_escaped = false, m_ended = false;
  std::optional<Error> m_error;
};

// What the library's parser reads from: the byte it stands on, and end of file as the end of the range.
class ByteIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;
  explicit ByteIterator(Reader& reader) : m_reader(&reader), m_byte(reader.get()) {}
  char operator*() const { return static_cast<char>(m_byte); }
  ByteIterator& operator++() {
    m_byte = m_reader->get();
    return *this;
  }
  ByteIterator operator++(int) {
    ByteIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) { return a.m_byte == b.m_byte; }
  friend bool operator!=(const ByteIterator& a, const ByteIterator& b) { return !(a == b); }

private:
  Reader* m_reader = nullptr;
  int m_byte = EOF;
};

// The library's callbacks, told on. Returning false stops the parser.
class Adapter {
public:
  Adapter(JsonHandler& handler, Reader& reader, int maximumDepth)
      : m_handler(handler), m_reader(reader), m_maximumDepth(maximumDepth) {}

  bool null() { return m_handler.null(), seen(); }
  bool boolean(bool value) { return m_handler.boolean(value), seen(); }
  bool number_integer(std::int64_t value) { return m_handler.integer(value), seen(); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX))
      m_handler.integer(static_cast<std::int64_t>(value));
    else
      m_handler.number(static_cast<double>(value), std::to_string(value));
    return seen();
  }
  bool number_float(double value, const std::string& text) { return m_handler.number(value, text), seen(); }
  bool string(std::string& text) { return m_handler.string(text), seen(); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string& text) { return m_handler.key(text), seen(); }
  bool start_object(std::size_t) { return m_handler.beginObject(), deeper(); }
  bool start_array(std::size_t) { return m_handler.beginArray(), deeper(); }
  bool end_object() { return --m_depth, m_handler.endObject(), seen(); }
  bool end_array() { return --m_depth, m_handler.endArray(), seen(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    m_wrong = e.what();
    return false;
  }

  // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error …": the last part.
  std::string wrong() const {
    if (m_tooDeep)
      return "it is nested deeper than " + std::to_string(m_maximumDepth) + " levels";
    std::size_t at = m_wrong.find("column ");
    at = at == std::string::npos ? m_wrong.find("] ") : m_wrong.find(": ", at);
    return at == std::string::npos ? m_wrong : m_wrong.substr(at + 2);
  }

private:
  bool seen() {
    m_reader.valueSeen();
    return m_handler.refusal().empty();
  }
  bool deeper() {
    m_tooDeep = ++m_depth > m_maximumDepth;
    return !m_tooDeep && seen();
  }
  JsonHandler& m_handler;
  Reader& m_reader;
  int m_maximumDepth, m_depth = 0;
  bool m_tooDeep = false;
  std::string m_wrong;
};
} // namespace

Status readJsonStream(ByteSource& source, JsonHandler& handler, const JsonStreamOptions& options) {
  Reader reader(source, options);
  Adapter adapter(handler, reader, options.maximumDepth);
  const bool whole = Json::sax_parse(ByteIterator(reader), ByteIterator(), &adapter);
  if (reader.error())
    return fail(*reader.error());
  if (!handler.refusal().empty())
    return fail(ExitCode::Data,
                source.name() + " at byte " + std::to_string(reader.offset()) + ": " + std::string(handler.refusal()));
  if (!whole)
    return fail(ExitCode::Data,
                source.name() + " is broken at byte " + std::to_string(reader.offset()) + ": " + adapter.wrong() + ".");
  if (reader.replaced() > 0)
    handler.replaced(reader.replaced());
  return {};
}

} // namespace voxlab
