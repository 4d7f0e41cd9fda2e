// SPDX-License-Identifier: Apache-2.0
// How everything outside LibTorch reports failure: a value or an Error whose message is a sentence.
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace voxlab {

// Process exit codes, shared by the worker, the studio and scripts.
enum class ExitCode : int {
  Finished = 0,
  Usage = 2,        // bad command line or job specification
  NoDevice = 3,     // the device asked for is not there
  Data = 4,         // a file cannot be read or used; preflight findings
  OutOfMemory = 5,
  Stopped = 6,      // stopped on request, state saved
  CheckFailed = 7,  // verify or doctor found a difference
  Internal = 70,
};

// What failed, in words: which file or device, and what to do about it.
struct Error {
  ExitCode code = ExitCode::Internal;
  std::string message;
};

template <class T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

// Usage: return fail(ExitCode::Data, "…");
inline tl::unexpected<Error> fail(ExitCode code, std::string message) {
  return tl::make_unexpected(Error{code, std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::make_unexpected(std::move(error)); }

} // namespace voxlab
