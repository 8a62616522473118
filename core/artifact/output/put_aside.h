// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that are written, and hashed, while the next ones are made.
#pragma once

#include "artifact/output/output_folder.h"

#include <future>
#include <vector>

namespace roundpipe::artifact {

// Two pieces at most are in memory: one that is made, one that is written. One thread.
class PutAside {
public:
    explicit PutAside(const PutBytes& put) : m_put(put) {}
    ~PutAside(); // waits; what was not finished is being given up

    // The piece to fill next, of so many bytes.
    std::span<std::byte> next(std::size_t bytes);
    void put();    // the piece that next() gave; throws what writing the one before threw
    void finish(); // all are written

private:
    const PutBytes& m_put;
    std::vector<std::byte> m_made, m_written;
    std::future<void> m_writing;
};

} // namespace roundpipe::artifact
