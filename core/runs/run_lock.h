// SPDX-License-Identifier: GPL-3.0-or-later
// Who writes into the folder of a run: one process at a time, known to all others even where it crashed.
#pragma once

#include <filesystem>

namespace roundpipe::runs {

// Held while it lives; the system frees the lock of a process that ends, however it does.
class RunLock {
public:
    // Throws kInvalidInput where another run holds the folder, kIo where the file system refuses.
    explicit RunLock(const std::filesystem::path& runFolder);
    ~RunLock();
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&&) = delete;

    static bool isHeld(const std::filesystem::path& runFolder); // by anyone, this process too

private:
    int m_descriptor = -1;
};

} // namespace roundpipe::runs
