// SPDX-License-Identifier: GPL-3.0-or-later
// Who writes into the folder of a run: one process at a time, known to all others even where it crashed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace roundpipe::runs {

// Held while it lives; the system frees the lock of a process that ends, however it does.
class RunLock {
public:
    // Throws kInvalidInput where another run holds the folder, kIo where the file system refuses.
    explicit RunLock(const std::filesystem::path& runFolder);
    ~RunLock();
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&&) = delete;

    // Whether the folder that was locked is the one at this path, with the lock in it: somebody may have moved it away,
    // or emptied it. So it is, too, where the file system does not say.
    bool isAt(const std::filesystem::path& runFolder) const;
    // Where it is now; empty where it was removed, or the lock from it. Somebody may be moving it on.
    std::filesystem::path place() const;
    // A path of the folder that leads there wherever it is moved, for this process alone; none where the system has
    // none.
    std::filesystem::path held() const;
    // Whether the folder at this path is the one that was locked, and nobody's now.
    bool isLostAt(const std::filesystem::path& runFolder) const;

    // Writes into the lock whose folder it is: names of the run (TrainingState::run), which stand there until another
    // one begins. What somebody else has written there stays, and a disk that takes no more leaves none of them.
    void writeRuns(const std::set<std::string>& names);
    // Empty where the lock does not say.
    static std::set<std::string> runsOf(const std::filesystem::path& runFolder);

    // That the run advances: seen by lastBeat(). Costs a look at the clock, and once a second a call of the system's.
    void beat();

    // When the run in this folder last advanced, in seconds since 1970; 0: nobody knows.
    static int64_t lastBeat(const std::filesystem::path& runFolder);
    static bool isHeld(const std::filesystem::path& runFolder);        // by anyone, this process too
    static void requireUnheld(const std::filesystem::path& runFolder); // throws as the constructor, and holds nothing

private:
    bool holdsLock() const;

    int m_descriptor = -1;
    int m_folder = -1; // goes with the folder wherever that is moved
    int64_t m_beatNs = 0;
};

} // namespace roundpipe::runs
