// SPDX-License-Identifier: Apache-2.0
// Between reader and attribution: the events of a file as they come, one at a time.
#pragma once
#include "core/analysis/trace.h"
#include "core/base/json_stream.h"
#include <functional>

namespace voxlab {

// One element of traceEvents. Strings are valid during the call only.
struct RawTraceEvent {
  std::string phase, category, name, process, thread, flow;
  std::optional<std::int64_t> time_ns, duration_ns; // as in the file
  // from args
  std::uint64_t correlation = 0, externalId = 0, bytes = 0;
  std::int64_t sequence = -1, stream = -1, device = -1;
  LaunchGeometry shape;
  bool hasShape = false;
  std::string label;  // args.name of metadata events
  std::string inputs; // as operatorInputs() reads them
};

struct TraceHeader {
  std::vector<TraceDevice> devices;
  bool isTrace = false; // traceEvents was seen, or the document is an array of events
  std::string schemaVersion;
  std::uint64_t replacedCharacters = 0; // that were no UTF-8
};

// Tells every event of a JSON document to `sink`, which returns a sentence to stop with, or nothing.
class TraceEventParser final : public JsonHandler {
public:
  explicit TraceEventParser(std::function<std::string(RawTraceEvent&)> sink) : m_sink(std::move(sink)) {}
  const TraceHeader& header() const { return m_header; }

  void beginObject() override;
  void endObject() override;
  void beginArray() override;
  void endArray() override;
  void key(std::string& text) override;
  void string(std::string& text) override;
  void integer(std::int64_t value) override;
  void number(double value, std::string_view text) override;
  void boolean(bool) override { skipped(); }
  void null() override { skipped(); }
  void replaced(std::uint64_t count) override { m_header.replacedCharacters = count; }
  std::string_view refusal() const override { return m_refusal; }

private:
  enum class Field { None, Phase, Category, Name, Process, Thread, Time, Duration, Flow, Args };
  enum class Arg {
    None,
    Correlation,
    External,
    Bytes,
    Sequence,
    Stream,
    Device,
    Grid,
    Block,
    Registers,
    Shared,
    Occupancy,
    Label,
    Dims,
    Types,
    Values
  };
  enum class Place { Nowhere, Events, Devices };

  int inside() const { return m_depth - m_eventDepth; } // 0: fields of the event, 1: its args, 2…: their elements
  bool inEvent() const { return m_eventDepth > 0 && m_depth >= m_eventDepth; }
  void begin();
  void leave();
  void skipped();
  void eventField(std::string_view text);
  void argument(double value, std::string_view text, std::int64_t whole);
  void deviceField(std::string_view text, std::int64_t whole);
  void beginInput();
  void finishInputs();

  std::function<std::string(RawTraceEvent&)> m_sink;
  TraceHeader m_header;
  std::string m_refusal;
  RawTraceEvent m_event;
  Place m_place = Place::Nowhere;
  Field m_field = Field::None;
  Arg m_arg = Arg::None;
  int m_depth = 0, m_eventDepth = 0, m_placeDepth = 0;
  std::size_t m_element = 0; // index within an argument that is a list
  std::string m_rootKey, m_deviceKey;
  std::vector<std::string> m_dims, m_types, m_values;
};

// "5104078021071.043" microseconds → nanoseconds, exactly; nullopt for what is no number or too large for 64 bits.
std::optional<std::int64_t> microsecondsToNanoseconds(std::string_view text);

} // namespace voxlab
