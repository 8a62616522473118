// SPDX-License-Identifier: GPL-3.0-or-later
// One process at a time, by the lock files that Hugging Face's tools use too.
#pragma once

#include "hub/store/open_file.h"

#include <filesystem>
#include <stop_token>

namespace roundpipe::hub {

// Waits for whoever holds it, and throws kCancelled once `stop` is asked for; held while it lives. The file stays, as
// removing it would let two in at once.
class FileLock {
public:
    FileLock(const std::filesystem::path& path, const std::stop_token& stop);

private:
    OpenFile m_file; // whose lock goes with it
};

} // namespace roundpipe::hub
