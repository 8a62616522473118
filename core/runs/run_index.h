// SPDX-License-Identifier: GPL-3.0-or-later
// What was read of run folders, so that a list of hundreds is there at once: an SQLite file that can be thrown away at
// any time and is then made again from the folders.
#pragma once

#include "runs/stored_run.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace roundpipe::runs {

class Database;

// One thread at a time; other processes may use the same file.
class RunIndex {
public:
    // Makes the file and its folder. A file that is broken, or of another version, is made anew. Throws kIo, kNoSpace.
    explicit RunIndex(const std::filesystem::path& file);
    ~RunIndex();

    // The runs in these folders: from the index where nothing changed since, else read, and kept for the next time.
    // What the index holds of other folders is forgotten.
    std::vector<StoredRun> runsIn(const std::vector<std::filesystem::path>& folders);

    int64_t numRead() const { return m_numRead; } // folders read so far, because the index did not know how they stand

private:
    bool find(const std::filesystem::path& folder, const std::string& fingerprint, StoredRun& run);
    void keep(const StoredRun& run, const std::string& fingerprint);
    void forgetOthers(const std::vector<std::filesystem::path>& folders);

    std::unique_ptr<Database> m_database;
    int64_t m_numRead = 0;
};

} // namespace roundpipe::runs
