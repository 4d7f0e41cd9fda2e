// SPDX-License-Identifier: Apache-2.0
// The version of everything in a run folder. A reader refuses a newer major version and takes any minor one.
#pragma once
#include "core/base/json.h"
#include <string>

namespace voxlab {

inline constexpr int kProtocolMajor = 1;
inline constexpr int kProtocolMinor = 0;

std::string schemaVersion(); // "1.0", the member "schema" of run.json, spec.json, …

// Fails with Data, both versions in the message, when the major version is newer; `what` begins the sentence.
Status checkVersion(int major, int minor, const std::string& what);
// The same for the member "schema" of a document; a document without one counts as 1.0.
Status checkSchema(const Json& document, const std::string& what);

} // namespace voxlab
