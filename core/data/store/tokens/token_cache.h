// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of tokenised datasets that earlier runs have left, in a folder of the user's. Runs may use it at the same
// time: a file appears under its name only when it is whole, and one that is removed stays readable for whoever has it
// open. Internal to this folder.
#pragma once

#include "data/store/tokens/token_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace roundpipe::data {

class TokenCache {
public:
    static constexpr int64_t kDefaultMaxBytes = int64_t{20} << 30;

    // Makes the folder, for its user alone. Throws kIo.
    explicit TokenCache(std::filesystem::path folder, int64_t maxBytes = kDefaultMaxBytes);

    const std::filesystem::path& folder() const { return m_folder; }
    std::filesystem::path pathOf(const std::string& key) const;

    // What an earlier run has left under `key`, or null. A damaged file is removed with a warning in the log.
    std::shared_ptr<const TokenStore> find(const std::string& key) const;

    // Removes what was used longest ago until all files together are within the limit, and the drafts of runs that
    // ended a day ago or more. `keptKey` stays.
    void tidy(const std::string& keptKey) const;

    // Of a file's content. `progress` gets the bytes read of it and may throw. A file whose device, inode, size and
    // times are those of an earlier call is not read again: the status-change time cannot be set by programs, and it is
    // trusted only if it was kSettledSeconds old when the file was read, as a later change might get the same time.
    std::string hashOf(const std::filesystem::path& file, const std::function<void(int64_t)>& progress) const;
    static constexpr int kSettledSeconds = 4;

private:
    std::filesystem::path m_folder;
    int64_t m_maxBytes;
};

} // namespace roundpipe::data
