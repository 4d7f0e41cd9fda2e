// SPDX-License-Identifier: Apache-2.0
#include "app/worker/error_words.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include <c10/util/Exception.h>
#include <new>

namespace voxlab {
namespace {
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool speaksOfMemory(std::string_view text) {
  return contains(text, "out of memory") || contains(text, "DefaultCPUAllocator: can't allocate memory") ||
         contains(text, "CUDNN_STATUS_ALLOC_FAILED");
}

bool speaksOfNoDevice(std::string_view text) {
  return contains(text, "No CUDA GPUs are available") || contains(text, "no CUDA-capable device") ||
         contains(text, "Found no NVIDIA driver") || contains(text, "invalid device ordinal");
}

Error classify(std::string text) {
  text = trimmed(text);
  if (speaksOfMemory(text))
    return {ExitCode::OutOfMemory, "There was not enough memory: " + text + kLessMemory};
  if (speaksOfNoDevice(text))
    return {ExitCode::NoDevice, "The device cannot be used: " + text};
  return {ExitCode::Internal, text};
}
} // namespace

Error errorFrom(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Failure& e) {
    return {e.code(), e.what()};
  } catch (const c10::OutOfMemoryError& e) {
    return {ExitCode::OutOfMemory, "There was not enough memory: " + trimmed(e.what_without_backtrace()) + kLessMemory};
  } catch (const c10::Error& e) {
    return classify(e.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return {ExitCode::OutOfMemory, std::string("There was not enough main memory.") + kLessMemory};
  } catch (const std::exception& e) {
    return classify(e.what());
  } catch (...) {
    return {ExitCode::Internal, "An unknown kind of error came up."};
  }
}

} // namespace voxlab
