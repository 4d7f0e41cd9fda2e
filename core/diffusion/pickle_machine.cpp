// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/pickle_machine.h"
#include "core/diffusion/zip_format.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace voxlab {

using Kind = PickleValue::Kind;

namespace {
constexpr const char* kOrderedDict = "collections OrderedDict";
constexpr const char* kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr const char* kFloatStorage = "torch FloatStorage";
constexpr std::size_t kMaximumDimensions = 8;

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 80))
    shown += c >= ' ' && c < 127 ? c : '?';
  return shown;
}
} // namespace

class PickleMachine {
public:
  PickleMachine(std::string_view bytes, std::string what, PickleDocument& document)
      : m_bytes(bytes), m_what(std::move(what)), m_document(document) {}

  Status run() {
    while (!m_stopped) {
      if (m_at >= m_bytes.size())
        return broken("it ends early");
      if (const Status status = step(static_cast<unsigned char>(m_bytes[m_at++])); !status)
        return status;
    }
    if (m_stack.size() != 1 || m_stack.back()->kind == Kind::Mark)
      return broken("it does not hold one value");
    m_document.m_root = m_stack.back();
    return {};
  }

private:
  tl::unexpected<Error> broken(const std::string& why) const {
    return fail(ExitCode::Data, m_what + " is not a checkpoint that can be read: " + why + ".");
  }

  // Operations that push one value of their own, then those that combine what is on the stack.
  Status step(unsigned char operation) {
    switch (operation) {
    case 0x80: return protocol();
    case '.': m_stopped = true; return {};
    case '(': return push(Kind::Mark);
    case 'N': return push(Kind::None);
    case 0x88: return push(Kind::Boolean, 1);
    case 0x89: return push(Kind::Boolean, 0);
    case '}': return push(Kind::Dictionary);
    case ']': return push(Kind::List);
    case ')': return push(Kind::Tuple);
    case 'K': return integer<std::uint8_t>();
    case 'M': return integer<std::uint16_t>();
    case 'J': return integer<std::int32_t>();
    case 0x8A: return longInteger();
    case 'G': return number();
    case 'X': return text();
    case 'c': return global();
    case 'q': return put<std::uint8_t>();
    case 'r': return put<std::uint32_t>();
    case 'h': return get<std::uint8_t>();
    case 'j': return get<std::uint32_t>();
    case 't': return tupleFromMark();
    case 0x85: return tuple(1);
    case 0x86: return tuple(2);
    case 0x87: return tuple(3);
    case 'e': return appends();
    case 's': return setItems(2);
    case 'u': return setItemsFromMark();
    case 'R': return reduce();
    case 'Q': return persistent();
    case 'b': return build();
    default: return broken("it uses the pickle operation " + std::to_string(operation) + ", which checkpoints do not");
    }
  }

  bool has(std::size_t bytes) const { return m_bytes.size() - m_at >= bytes; }
  template <class T> bool take(T& value) {
    if (!has(sizeof(T)))
      return false;
    value = static_cast<T>(zip::number<std::make_unsigned_t<T>>(m_bytes, m_at));
    m_at += sizeof(T);
    return true;
  }
  PickleValue& make(Kind kind) {
    PickleValue& value = m_document.m_values.emplace_back();
    value.kind = kind;
    return value;
  }
  Status push(Kind kind, std::int64_t integer = 0) {
    PickleValue& value = make(kind);
    value.integer = integer;
    m_stack.push_back(&value);
    return {};
  }
  // The values above the topmost mark, which is removed with them.
  bool popToMark(std::vector<PickleValue*>& values) {
    std::size_t at = m_stack.size();
    while (at > 0 && m_stack[at - 1]->kind != Kind::Mark)
      --at;
    if (at == 0)
      return false;
    values.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(at), m_stack.end());
    m_stack.resize(at - 1);
    return true;
  }
  PickleValue* pop() {
    if (m_stack.empty() || m_stack.back()->kind == Kind::Mark)
      return nullptr;
    PickleValue* value = m_stack.back();
    m_stack.pop_back();
    return value;
  }

  Status protocol() {
    std::uint8_t version = 0;
    if (!take(version) || version > 3)
      return broken("its pickle protocol is newer than 3");
    return {};
  }
  template <class T> Status integer() {
    T value = 0;
    if (!take(value))
      return broken("it ends early");
    return push(Kind::Integer, static_cast<std::int64_t>(value));
  }
  Status longInteger() {
    std::uint8_t length = 0;
    if (!take(length) || length > 8 || !has(length))
      return broken("it holds a number of more than 64 bits");
    std::uint64_t value = 0;
    for (std::uint8_t i = 0; i < length; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(m_bytes[m_at + i])} << (8 * i);
    if (length > 0 && length < 8 && (value >> (8 * length - 1)) != 0)
      value |= ~std::uint64_t{0} << (8 * length);
    m_at += length;
    return push(Kind::Integer, static_cast<std::int64_t>(value));
  }
  Status number() { // big-endian
    if (!has(8))
      return broken("it ends early");
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i)
      bits = (bits << 8) | static_cast<unsigned char>(m_bytes[m_at++]);
    PickleValue& value = make(Kind::Number);
    value.number = std::bit_cast<double>(bits);
    m_stack.push_back(&value);
    return {};
  }
  Status text() {
    std::uint32_t length = 0;
    if (!take(length) || !has(length))
      return broken("it ends early");
    PickleValue& value = make(Kind::Text);
    value.text = m_bytes.substr(m_at, length);
    m_at += length;
    m_stack.push_back(&value);
    return {};
  }
  Status global() {
    std::string name;
    for (const char* separator : {" ", ""}) {
      const std::size_t end = m_bytes.find('\n', m_at);
      if (end == std::string_view::npos)
        return broken("it ends early");
      name += std::string(m_bytes.substr(m_at, end - m_at)) + separator;
      m_at = end + 1;
    }
    if (name != kOrderedDict && name != kRebuildTensor && name != kFloatStorage)
      return fail(ExitCode::Data, m_what + " asks for the Python object " + printable(name) +
                                      ". A published checkpoint needs no such thing, so the file was not loaded; it may be harmful.");
    PickleValue& value = make(Kind::Global);
    value.text = std::move(name);
    m_stack.push_back(&value);
    return {};
  }

  template <class T> Status put() {
    T index = 0;
    if (!take(index) || m_stack.empty())
      return broken("it remembers a value that is not there");
    m_memo[index] = m_stack.back();
    return {};
  }
  template <class T> Status get() {
    T index = 0;
    const auto found = take(index) ? m_memo.find(index) : m_memo.end();
    if (found == m_memo.end())
      return broken("it recalls a value that is not there");
    m_stack.push_back(found->second);
    return {};
  }

  Status tupleFromMark() {
    std::vector<PickleValue*> values;
    if (!popToMark(values))
      return broken("a mark is missing");
    PickleValue& value = make(Kind::Tuple);
    value.items.assign(values.begin(), values.end());
    m_stack.push_back(&value);
    return {};
  }
  Status tuple(std::size_t count) {
    std::vector<const PickleValue*> items(count);
    for (std::size_t i = count; i > 0; --i)
      if (!(items[i - 1] = pop()))
        return broken("a tuple is incomplete");
    PickleValue& value = make(Kind::Tuple);
    value.items = std::move(items);
    m_stack.push_back(&value);
    return {};
  }
  Status appends() {
    std::vector<PickleValue*> values;
    if (!popToMark(values) || m_stack.empty() || m_stack.back()->kind != Kind::List)
      return broken("it appends to what is not a list");
    m_stack.back()->items.insert(m_stack.back()->items.end(), values.begin(), values.end());
    return {};
  }
  Status setItemsFromMark() {
    std::vector<PickleValue*> values;
    if (!popToMark(values))
      return broken("a mark is missing");
    return setItems(values);
  }
  Status setItems(std::size_t count) {
    std::vector<PickleValue*> values(count);
    for (std::size_t i = count; i > 0; --i)
      if (!(values[i - 1] = pop()))
        return broken("a dictionary's entry is incomplete");
    return setItems(values);
  }
  Status setItems(const std::vector<PickleValue*>& values) {
    if (values.size() % 2 != 0 || m_stack.empty() || m_stack.back()->kind != Kind::Dictionary)
      return broken("it fills what is not a dictionary");
    for (std::size_t i = 0; i < values.size(); i += 2) {
      if (values[i]->kind != Kind::Text)
        return broken("a dictionary's key is not text");
      m_stack.back()->members.emplace_back(values[i]->text, values[i + 1]);
    }
    return {};
  }

  Status reduce() {
    const PickleValue* arguments = pop();
    const PickleValue* function = pop();
    if (!arguments || !function || arguments->kind != Kind::Tuple || function->kind != Kind::Global)
      return broken("it calls what is not a function");
    if (function->text == kOrderedDict && arguments->items.empty())
      return push(Kind::Dictionary);
    if (function->text == kRebuildTensor)
      return rebuildTensor(arguments->items);
    return broken("it calls " + printable(function->text) + " in an unknown way");
  }
  static bool readSizes(const PickleValue& tuple, std::vector<std::int64_t>& sizes) {
    if (tuple.kind != Kind::Tuple || tuple.items.size() > kMaximumDimensions)
      return false;
    for (const PickleValue* item : tuple.items) {
      if (item->kind != Kind::Integer || item->integer < 0)
        return false;
      sizes.push_back(item->integer);
    }
    return true;
  }
  // (storage, offset, sizes, strides, requires_grad, hooks)
  Status rebuildTensor(const std::vector<const PickleValue*>& arguments) {
    PickleValue& tensor = make(Kind::Tensor);
    if (arguments.size() < 4 || arguments[0]->kind != Kind::Storage || arguments[1]->kind != Kind::Integer ||
        !readSizes(*arguments[2], tensor.sizes) || !readSizes(*arguments[3], tensor.strides) || tensor.sizes.size() != tensor.strides.size())
      return broken("a tensor's description is malformed");
    tensor.storage = arguments[0];
    tensor.integer = arguments[1]->integer;
    if (!insideStorage(tensor))
      return broken("a tensor reaches beyond its storage");
    m_stack.push_back(&tensor);
    return {};
  }
  static bool insideStorage(const PickleValue& tensor) {
    __extension__ using Wide = __int128;
    const Wide available = tensor.storage->integer;
    Wide last = tensor.integer, count = 1;
    if (last < 0 || last > available)
      return false;
    for (std::size_t d = 0; d < tensor.sizes.size(); ++d) {
      if (tensor.sizes[d] == 0)
        return true;
      count *= tensor.sizes[d];
      last += static_cast<Wide>(tensor.sizes[d] - 1) * tensor.strides[d];
      if (count > available || last >= available)
        return false;
    }
    return last < available;
  }

  Status persistent() { // ('storage', class, key, location, number of elements)
    const PickleValue* id = pop();
    if (!id || id->kind != Kind::Tuple || id->items.size() != 5 || id->items[0]->text != "storage" || id->items[1]->text != kFloatStorage ||
        id->items[2]->kind != Kind::Text || id->items[4]->kind != Kind::Integer || id->items[4]->integer < 0)
      return broken("a storage's description is malformed");
    PickleValue& storage = make(Kind::Storage);
    storage.text = id->items[2]->text;
    storage.integer = id->items[4]->integer;
    m_stack.push_back(&storage);
    return {};
  }
  Status build() { // attributes of an ordered dictionary (_metadata): dropped
    const PickleValue* attributes = pop();
    if (!attributes || attributes->kind != Kind::Dictionary || m_stack.empty() || m_stack.back()->kind != Kind::Dictionary)
      return broken("it sets attributes of what has none");
    return {};
  }

  std::string_view m_bytes;
  std::size_t m_at = 0;
  std::string m_what;
  PickleDocument& m_document;
  std::vector<PickleValue*> m_stack;
  std::unordered_map<std::uint32_t, PickleValue*> m_memo;
  bool m_stopped = false;
};

Result<PickleDocument> PickleDocument::parse(std::string_view bytes, const std::string& what) {
  PickleDocument document;
  if (const Status status = PickleMachine(bytes, what, document).run(); !status)
    return fail(status.error());
  return document;
}

} // namespace voxlab
