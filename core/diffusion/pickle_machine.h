// SPDX-License-Identifier: Apache-2.0
// A Python pickle read as data: a stack machine that knows the operations and the three globals of a published checkpoint
// and refuses everything else, so that nothing in a file is ever executed. Format: CPython's Lib/pickletools.py.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace voxlab {

struct PickleValue {
  enum class Kind { None, Boolean, Integer, Number, Text, Tuple, List, Dictionary, Global, Storage, Tensor, Mark };
  Kind kind = Kind::None;
  std::int64_t integer = 0; // Integer, Boolean; Storage: number of elements; Tensor: offset into the storage, in elements
  double number = 0;
  std::string text;                                                // Text; Global "module name"; Storage: key
  std::vector<const PickleValue*> items;                           // Tuple, List
  std::vector<std::pair<std::string, const PickleValue*>> members; // Dictionary with text keys, in order
  const PickleValue* storage = nullptr;                            // Tensor
  std::vector<std::int64_t> sizes, strides;                        // Tensor
};

// Owns the values of one document. They may refer to each other in circles: walk them to a known depth only.
class PickleDocument {
public:
  // Fails with Data, the message beginning with `what`.
  static Result<PickleDocument> parse(std::string_view bytes, const std::string& what);
  const PickleValue& root() const { return *m_root; }

private:
  friend class PickleMachine;
  std::deque<PickleValue> m_values; // addresses stay
  const PickleValue* m_root = nullptr;
};

} // namespace voxlab
