// SPDX-License-Identifier: Apache-2.0
// Where the tests find things. Defined once, so that no test's object file depends on the checkout's place.
#pragma once
#include <filesystem>

namespace voxlab {

std::filesystem::path sourceFolder(); // the repository's root
std::filesystem::path binaryFolder(); // the build folder
std::filesystem::path testData();     // tests/data: frozen inputs
// The golden numbers: VOXLAB_PARITY_DIR, by default tests/data/parity as CMake unpacked it into the build folder.
std::filesystem::path parityFolder();
std::filesystem::path program(const char* name); // build/bin/NAME

} // namespace voxlab
