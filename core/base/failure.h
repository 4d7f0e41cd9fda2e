// SPDX-License-Identifier: Apache-2.0
// An Error as an exception, for the rooms that throw (core/diffusion, core/execution, app/worker); the worker's main catches it.
#pragma once
#include "core/base/result.h"
#include <stdexcept>

namespace voxlab {

class Failure : public std::runtime_error {
public:
  explicit Failure(Error error) : std::runtime_error(error.message), m_code(error.code) {}
  Failure(ExitCode code, std::string message) : Failure(Error{code, std::move(message)}) {}
  ExitCode code() const { return m_code; }

private:
  ExitCode m_code;
};

// The value, or its error thrown.
template <class T> T valueOrThrow(Result<T> result) {
  if (!result)
    throw Failure(std::move(result.error()));
  if constexpr (!std::is_void_v<T>)
    return std::move(*result);
}

} // namespace voxlab
