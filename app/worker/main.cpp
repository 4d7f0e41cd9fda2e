// SPDX-License-Identifier: Apache-2.0
#include "app/worker/command_line.h"
#include "app/worker/error_words.h"
#include "app/worker/log.h"
#include "app/worker/waiting_threads.h"

int main(int argc, char** argv) {
  voxlab::letIdleThreadsSleep(argv);
  try {
    return static_cast<int>(voxlab::runCommandLine(argc, argv));
  } catch (...) {
    const voxlab::Error error = voxlab::errorFrom(std::current_exception());
    voxlab::log::error(error.message);
    return static_cast<int>(error.code);
  }
}
