// SPDX-License-Identifier: Apache-2.0
// Whole files: read with a limit, written beside their name, flushed and renamed, so that nothing on disk looks finished
// before it is.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace voxlab {

// Fails with Data when the file is missing, unreadable or larger than the limit.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uintmax_t limitBytes = 1u << 30);

// Writes NAME.tmp-PID beside the file, fsyncs it, renames it over the file and fsyncs the folder. The old file stays
// whole if anything fails. Makes missing parent folders.
Status writeFileAtomically(const std::filesystem::path& file, std::string_view bytes);

// Renames a finished file or folder into place and fsyncs the folder.
Status renameIntoPlace(const std::filesystem::path& from, const std::filesystem::path& to);

// Flushes an existing file or folder to the disk.
Status syncToDisk(const std::filesystem::path& path);

// The name that writeFileAtomically and friends use while a file is not finished yet.
std::filesystem::path temporaryBeside(const std::filesystem::path& file);
bool isTemporary(const std::filesystem::path& file); // by its name alone; other programs' too

enum class Below { Folder, Everything };
// Files and folders in the folder (or in all below it, too) that were being written when a program was killed. Of several programs only
// the one that alone writes there may call it.
void removeTemporaries(const std::filesystem::path& folder, Below below);

} // namespace voxlab
