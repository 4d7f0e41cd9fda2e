// SPDX-License-Identifier: Apache-2.0
// Small traces written out by hand, and the recorded ones.
#pragma once
#include "core/analysis/trace_reader.h"
#include "tests/support/paths.h"
#include <string>

namespace voxlab {

class TraceText {
public:
  // Times in microseconds, as in a file.
  TraceText& host(const std::string& category, const std::string& name, int thread, double start, double duration,
                  const std::string& args = "") {
    return event(R"("ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":1,"tid":)" + std::to_string(thread) +
                 times(start, duration) + R"(,"args":{)" + args + "}");
  }
  TraceText& range(const std::string& name, double start, double duration, int thread = 1) {
    return host("user_annotation", name, thread, start, duration);
  }
  TraceText& op(const std::string& name, double start, double duration, int thread = 1, const std::string& args = "") {
    return host("cpu_op", name, thread, start, duration, args);
  }
  // A launch call of 2 µs and the kernel that it causes.
  TraceText& kernel(const std::string& name, double launched, double start, double duration, int thread = 1, int stream = 7) {
    const std::string correlation = R"("correlation":)" + std::to_string(++m_correlation);
    host("cuda_runtime", "cudaLaunchKernel", thread, launched, 2, correlation);
    return event(R"("ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7)" + times(start, duration) +
                 R"(,"args":{"device":0,"stream":)" + std::to_string(stream) +
                 R"(,"grid":[4,2,1],"block":[128,1,1],"registers per thread":32,"shared memory":1024,)" + correlation + "}");
  }
  TraceText& event(const std::string& fields) {
    m_events += (m_events.empty() ? "{" : ",\n{") + fields + "}";
    return *this;
  }
  std::string text() const { return R"({"schemaVersion": 1, "traceEvents": [)" + m_events + "]}"; }
  Trace read() const {
    const std::string whole = text();
    auto source = byteSourceFromText(whole, "a trace by hand");
    return readTrace(*source).value();
  }

private:
  static std::string times(double start, double duration) {
    return R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" + std::to_string(duration);
  }
  std::string m_events;
  int m_correlation = 0;
};

inline std::filesystem::path recorded(const std::string& name) {
  return testData() / "profiles" / name;
}

} // namespace voxlab
