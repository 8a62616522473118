// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the progress of loading a dataset, for the callback. Internal to this folder.
#pragma once

#include "data/store/tokens/load_progress.h"

#include <chrono>
#include <vector>

namespace roundpipe::data {

// Used by the loading thread. Calls throw kCancelled when the callback asks for it.
class LoadMeter {
public:
    LoadMeter(std::vector<int64_t> fileBytes, const LoadCallback& progress);

    void hashed(int64_t bytesOfFile);                   // compared with what the cache knows
    void encoded(int64_t numRows, int64_t bytesOfFile); // `numRows` of all files, `bytesOfFile` of this one
    void finishedFile();                                // the next one follows
    void shown(int64_t numRows, int64_t numAll);        // that had been encoded before

private:
    void report();

    const LoadCallback& m_callback;
    LoadProgress m_progress; // reported last
    std::vector<int64_t> m_fileBytes;
    std::size_t m_file = 0;
    int64_t m_totalBytes = 0;
    int64_t m_finishedBytes = 0;
    std::chrono::steady_clock::time_point m_began{}; // of the first encoded row
};

} // namespace roundpipe::data
