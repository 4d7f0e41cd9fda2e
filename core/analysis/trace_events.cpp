// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace_events.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace voxlab {
namespace {
constexpr double kMostNanoseconds = 4e18; // differences of two times stay within 64 bits
constexpr std::size_t kMostInputs = 256, kMostInputText = 4096;

bool isUnsigned(double value) {
  return value >= 0 && value < 1.8e19;
}
} // namespace

std::optional<std::int64_t> microsecondsToNanoseconds(std::string_view text) {
  double value = 0;
  const auto whole = std::from_chars(text.data(), text.data() + text.size(), value);
  if (whole.ec != std::errc() || whole.ptr != text.data() + text.size() || !(std::abs(value) < kMostNanoseconds / 1000))
    return std::nullopt;
  const bool negative = text.starts_with('-');
  const auto point = text.find('.');
  if (text.find_first_of("eE") != std::string_view::npos)
    return static_cast<std::int64_t>(std::llround(value * 1000));
  std::int64_t micro = 0;
  const std::string_view digits = text.substr(negative, point == std::string_view::npos ? point : point - negative);
  std::from_chars(digits.data(), digits.data() + digits.size(), micro);
  std::int64_t nano = 0;
  int places = 0;
  if (point != std::string_view::npos)
    for (std::size_t i = point + 1; i < text.size() && places < 3; ++i, ++places)
      nano = nano * 10 + (text[i] - '0');
  for (; places < 3; ++places)
    nano *= 10;
  if (point != std::string_view::npos && point + 4 < text.size() && text[point + 4] >= '5')
    ++nano;
  const std::int64_t result = micro * 1000 + nano;
  return negative ? -result : result;
}

void TraceEventParser::begin() {
  ++m_depth;
  m_element = 0;
  if (m_depth == 1)
    return;
  if (m_place == Place::Nowhere && m_depth == 2 && (m_rootKey == "traceEvents" || m_rootKey == "deviceProperties")) {
    m_place = m_rootKey == "traceEvents" ? Place::Events : Place::Devices;
    m_placeDepth = m_depth;
  }
}

void TraceEventParser::beginObject() {
  begin();
  if (m_place == Place::Events && m_depth == m_placeDepth + 1) {
    m_eventDepth = m_depth;
    m_event = RawTraceEvent();
    m_field = Field::None;
    m_arg = Arg::None;
    m_dims.clear();
    m_types.clear();
    m_values.clear();
  } else if (m_place == Place::Devices && m_depth == m_placeDepth + 1) {
    m_header.devices.emplace_back();
  }
}

void TraceEventParser::endObject() {
  if (m_eventDepth > 0 && m_depth == m_eventDepth) {
    finishInputs();
    m_refusal = m_sink(m_event);
    m_eventDepth = 0;
  }
  if (inEvent() && inside() == 1) {
    m_field = Field::None;
    m_arg = Arg::None;
  }
  leave();
}

void TraceEventParser::leave() {
  if (m_place != Place::Nowhere && m_depth == m_placeDepth)
    m_place = Place::Nowhere;
  --m_depth;
}

void TraceEventParser::beginArray() {
  const bool root = m_depth == 0;
  begin();
  if (root || (m_place == Place::Events && m_depth == m_placeDepth)) {
    m_place = Place::Events;
    m_placeDepth = m_depth;
    m_header.isTrace = true;
  }
  if (inEvent() && m_arg == Arg::Dims && inside() >= 3)
    beginInput();
}

void TraceEventParser::endArray() {
  if (inEvent() && inside() == 2)
    m_arg = Arg::None;
  leave();
}

// Input Dims: [[1, 64], [], [[1, 2], [3, 4]]]: a tensor, a number, a list of two tensors.
void TraceEventParser::beginInput() {
  if (inside() == 3) {
    if (m_dims.size() < kMostInputs)
      m_dims.emplace_back();
  } else if (inside() == 4 && !m_dims.empty() && !m_dims.back().empty() && m_dims.back().size() < kMostInputText) {
    m_dims.back() += ';';
  }
}

void TraceEventParser::finishInputs() {
  const std::size_t count = std::max({m_dims.size(), m_types.size(), m_values.size()});
  for (std::size_t i = 0; i < count && m_event.inputs.size() < kMostInputText; ++i) {
    m_event.inputs += i ? "\n" : "";
    m_event.inputs += i < m_dims.size() ? m_dims[i] : "";
    m_event.inputs += '\t';
    m_event.inputs += i < m_types.size() ? m_types[i] : "";
    m_event.inputs += '\t';
    m_event.inputs += i < m_values.size() ? m_values[i] : "";
  }
}

void TraceEventParser::key(std::string& text) {
  static const std::map<std::string, Field, std::less<>> kFields{
      {"ph", Field::Phase}, {"cat", Field::Category}, {"name", Field::Name}, {"pid", Field::Process}, {"tid", Field::Thread},
      {"ts", Field::Time},  {"dur", Field::Duration}, {"id", Field::Flow},   {"args", Field::Args}};
  static const std::map<std::string, Arg, std::less<>> kArgs{{"correlation", Arg::Correlation},
                                                             {"External id", Arg::External},
                                                             {"external id", Arg::External},
                                                             {"bytes", Arg::Bytes},
                                                             {"Sequence number", Arg::Sequence},
                                                             {"stream", Arg::Stream},
                                                             {"device", Arg::Device},
                                                             {"grid", Arg::Grid},
                                                             {"block", Arg::Block},
                                                             {"registers per thread", Arg::Registers},
                                                             {"shared memory", Arg::Shared},
                                                             {"est. achieved occupancy %", Arg::Occupancy},
                                                             {"name", Arg::Label},
                                                             {"Input Dims", Arg::Dims},
                                                             {"Input dims", Arg::Dims},
                                                             {"Input type", Arg::Types},
                                                             {"Concrete Inputs", Arg::Values}};
  if (inEvent() && inside() == 0) {
    const auto it = kFields.find(text);
    m_field = it == kFields.end() ? Field::None : it->second;
  } else if (inEvent() && inside() == 1 && m_field == Field::Args) {
    const auto it = kArgs.find(text);
    m_arg = it == kArgs.end() ? Arg::None : it->second;
  } else if (m_depth == 1) {
    m_rootKey = std::move(text);
  } else if (m_place == Place::Devices) {
    m_deviceKey = std::move(text);
  }
}

void TraceEventParser::string(std::string& text) {
  if (!inEvent()) {
    if (m_place == Place::Devices)
      deviceField(text, 0);
    return;
  }
  if (inside() == 0) {
    if (m_field == Field::Name)
      m_event.name = std::move(text);
    else
      eventField(text);
  } else if (inside() == 1 && m_arg == Arg::Label) {
    m_event.label = std::move(text);
  } else if (inside() == 2 && (m_arg == Arg::Types || m_arg == Arg::Values)) {
    auto& list = m_arg == Arg::Types ? m_types : m_values;
    if (list.size() < kMostInputs)
      list.push_back(text.substr(0, 200));
  }
}

void TraceEventParser::integer(std::int64_t value) {
  if (inEvent() && inside() == 0)
    eventField(std::to_string(value));
  else if (inEvent())
    argument(static_cast<double>(value), std::to_string(value), value);
  else if (m_place == Place::Devices)
    deviceField({}, value);
  else if (m_depth == 1 && m_rootKey == "schemaVersion")
    m_header.schemaVersion = std::to_string(value);
}

void TraceEventParser::number(double value, std::string_view text) {
  if (inEvent() && inside() == 0)
    eventField(text);
  else if (inEvent())
    argument(value, text, std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0);
}

void TraceEventParser::skipped() {
  if (inEvent() && inside() == 2) {
    ++m_element;
    if ((m_arg == Arg::Types || m_arg == Arg::Values) && (m_arg == Arg::Types ? m_types : m_values).size() < kMostInputs)
      (m_arg == Arg::Types ? m_types : m_values).emplace_back();
  }
}

// Of text and numbers alike: files write process, thread and time as either.
void TraceEventParser::eventField(std::string_view text) {
  switch (m_field) {
  case Field::Phase:
    m_event.phase = text;
    break;
  case Field::Category:
    m_event.category = text;
    break;
  case Field::Name:
    m_event.name = text;
    break;
  case Field::Process:
    m_event.process = text;
    break;
  case Field::Thread:
    m_event.thread = text;
    break;
  case Field::Flow:
    m_event.flow = text;
    break;
  case Field::Time:
    m_event.time_ns = microsecondsToNanoseconds(text);
    break;
  case Field::Duration:
    m_event.duration_ns = microsecondsToNanoseconds(text);
    break;
  default:
    break;
  }
}

void TraceEventParser::argument(double value, std::string_view text, std::int64_t whole) {
  if (m_field != Field::Args)
    return;
  const auto count = isUnsigned(value) ? static_cast<std::uint64_t>(value) : 0;
  const auto small = static_cast<std::uint32_t>(count & 0xffffffffu);
  if (inside() == 2 && (m_arg == Arg::Grid || m_arg == Arg::Block)) {
    if (m_element < 3)
      (m_arg == Arg::Grid ? m_event.shape.grid : m_event.shape.block)[m_element++] = small;
    m_event.hasShape = true;
    return;
  }
  if (m_arg == Arg::Dims && inside() >= 3 && !m_dims.empty() && m_dims.back().size() < kMostInputText) {
    std::string& dims = m_dims.back();
    if (!dims.empty() && dims.back() != ';')
      dims += ',';
    dims += text;
    return;
  }
  if (inside() != 1)
    return;
  switch (m_arg) {
  case Arg::Correlation:
    m_event.correlation = count;
    break;
  case Arg::External:
    m_event.externalId = count;
    break;
  case Arg::Bytes:
    m_event.bytes = count;
    break;
  case Arg::Sequence:
    m_event.sequence = whole;
    break;
  case Arg::Stream:
    m_event.stream = whole;
    break;
  case Arg::Device:
    m_event.device = whole;
    break;
  case Arg::Registers:
    m_event.shape.registersPerThread = small;
    break;
  case Arg::Shared:
    m_event.shape.sharedMemoryBytes = small;
    break;
  case Arg::Occupancy:
    m_event.shape.occupancy_percent = value > 0 ? static_cast<float>(value) : -1; // 0: Kineto could not tell
    break;
  default:
    break;
  }
}

void TraceEventParser::deviceField(std::string_view text, std::int64_t whole) {
  if (m_header.devices.empty() || m_depth != m_placeDepth + 1)
    return;
  TraceDevice& device = m_header.devices.back();
  if (m_deviceKey == "name" && !text.empty())
    device.name = text;
  else if (m_deviceKey == "id")
    device.id = static_cast<std::int32_t>(whole);
  else if (m_deviceKey == "totalGlobalMem")
    device.memory_bytes = whole;
  else if (m_deviceKey == "computeMajor")
    device.computeMajor = static_cast<int>(whole);
  else if (m_deviceKey == "computeMinor")
    device.computeMinor = static_cast<int>(whole);
  else if (m_deviceKey == "numSms")
    device.multiprocessors = static_cast<int>(whole);
}

} // namespace voxlab
