// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that wait in line, as they are stored: one file, which several programs may change.
#pragma once

#include "session/spec/run_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::queue {

struct QueuedRun {
    int64_t number = 0; // by which people name it; never given twice
    session::RunSpec spec;
    std::vector<std::string> prompts; // answered before and after
    std::string sweep;                // the grid that it is a point of; empty: of none
};

// A run that has left the line.
struct BegunRun {
    int64_t number = 0;
    std::string sweep;
    std::filesystem::path folder; // of its results
};

// Each call reads the file, and changes it whole, under a lock: any thread, any process. Throws kIo, kNoSpace, and
// kInvalidInput naming the file where it is damaged.
class RunQueue {
public:
    // `folder`: where file and lock lie; made with the first entry.
    explicit RunQueue(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    static RunQueue ofUser(); // userDataFolder()/queue

    std::vector<QueuedRun> waiting() const; // the next first
    std::vector<BegunRun> begun() const;    // the last kMostBegun of them, the oldest first
    static constexpr std::size_t kMostBegun = 1000;

    // At the end of the line, in this order. Their numbers are given here. Returns the first one's.
    int64_t add(std::vector<QueuedRun> runs);
    // Before the run that is now at `place` (0: next), or to the end. Throws kInvalidInput where it waits no more.
    void move(int64_t number, std::size_t place);
    void remove(int64_t number); // "
    // Takes out the first one that `mayBegin`, and writes down that it has begun. Nothing: none may.
    std::optional<QueuedRun> take(const std::function<bool(const QueuedRun&)>& mayBegin);

private:
    std::filesystem::path m_folder;
};

} // namespace roundpipe::queue
