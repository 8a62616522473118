// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights a model folder has: names and shapes fit many models.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

namespace roundpipe::arch {

// A hash (XXH3, 32 hexadecimal digits) over name, type, shape and all bytes of every tensor, whichever files they are
// in. The first time it reads the whole model by a few threads; then it is kept in the user's cache for as long as
// nobody touches the files. Throws as Checkpoint::open(), and kCancelled once `cancelled` is true. Any thread.
std::string fingerprintOfWeights(const std::filesystem::path& modelFolder, const std::atomic<bool>& cancelled = false);
// The same, where it is kept: nothing where that would take to read the weights. Throws as Checkpoint::open(). Any
// thread.
std::optional<std::string> keptFingerprintOfWeights(const std::filesystem::path& modelFolder);

} // namespace roundpipe::arch
