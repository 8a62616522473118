// SPDX-License-Identifier: GPL-3.0-or-later
// Who writes into the folder of an export: one process at a time, known to all others even where it crashed.
#pragma once

#include <filesystem>

namespace roundpipe::artifact {

// Held while it lives, under whatever name the folder goes meanwhile; the system frees the lock of a process that ends.
class FolderLock {
public:
    FolderLock() = default; // holds nothing
    // Throws kInvalidInput where another one holds the folder, kIo where it can't be opened. On a file system that has
    // no locks it holds the folder against nobody. One that is not there is held by nobody, and is not is().
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;

    bool is(const std::filesystem::path& folder) const; // whether what is held stands there now

private:
    int m_descriptor = -1;
};

} // namespace roundpipe::artifact
