// SPDX-License-Identifier: Apache-2.0
// voxlab-worker describe: the catalog as one JSON document. The launch form is built from it.
#include "app/worker/registry.h"
#include "app/worker/verbs.h"
#include <cstdio>

namespace voxlab {

ExitCode describe() {
  const std::string text = toJson(catalog()).dump(2);
  std::printf("%s\n", text.c_str());
  return ExitCode::Finished;
}

} // namespace voxlab
