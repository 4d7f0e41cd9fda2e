// SPDX-License-Identifier: Apache-2.0
// JSON of any size, read in bounded memory: the document is never built, its parts are told to a handler one after the
// other.
#pragma once
#include "core/base/byte_source.h"
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace voxlab {

class JsonHandler {
public:
  virtual ~JsonHandler() = default;
  virtual void beginObject() = 0;
  virtual void endObject() = 0;
  virtual void beginArray() = 0;
  virtual void endArray() = 0;
  virtual void key(std::string& text) = 0;    // may be moved from
  virtual void string(std::string& text) = 0; // may be moved from
  virtual void integer(std::int64_t value) = 0;
  // `text` is the number as it is written, for those who need more digits than a double holds.
  virtual void number(double value, std::string_view text) = 0;
  virtual void boolean(bool value) = 0;
  virtual void null() = 0;
  // At the end, if strings held bytes that are not UTF-8: how many characters were replaced by U+FFFD.
  virtual void replaced(std::uint64_t) {}
  // Not empty: reading stops and fails with this sentence.
  virtual std::string_view refusal() const { return {}; }
};

struct JsonStreamOptions {
  std::stop_token cancel;               // asked between blocks
  std::function<void(double)> progress; // 0…1, called from the reading thread after each block
  int maximumDepth = 200;
  std::size_t maximumValueBytes = 16u << 20; // longest string or number
};

// Bytes of strings that are not UTF-8 are told as U+FFFD. NaN and Infinity, bare or signed as Python and some profilers write them, are told as null. Fails with Data, naming the file,
// the byte and what is wrong there; with Stopped when cancelled.
Status readJsonStream(ByteSource& source, JsonHandler& handler, const JsonStreamOptions& options = {});

} // namespace voxlab
