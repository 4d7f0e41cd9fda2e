// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ATen/record_function.h>
#include <cstdint>
#include <string>

namespace voxlab {

// A named range on profilers' time lines, as long as it lives; costs next to nothing while nobody profiles. Network modules carry
// their dotted names ("input_blocks.3.0"); what core/analysis reads beside them are steps ("train_step", "sample_step") and phases
// ("data", "forward", "backward", "optimizer", "sampling"). An "optimizer" says how many parameters it works on: profilers do not record
// the shapes of long lists.
class ProfilerRange {
public:
  explicit ProfilerRange(const std::string& name) : m_range(at::RecordScope::USER_SCOPE) {
    if (m_range.isActive())
      m_range.before(name);
  }
  ProfilerRange(const char* name, std::int64_t count) : m_range(at::RecordScope::USER_SCOPE) {
    if (!m_range.isActive())
      return;
    const c10::IValue value(count);
    m_range.before(name, c10::ArrayRef<const c10::IValue>(value));
  }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;

private:
  at::RecordFunction m_range;
};

} // namespace voxlab
