// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that wait in line, as they are stored: one file, which several programs may change.
#pragma once

#include "base/spelling.h"
#include "runs/run_lock.h"
#include "session/spec/run_spec.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::queue {

struct QueuedRun {
    int64_t number = 0; // by which people name it; never given twice
    session::RunSpec spec;
    std::vector<std::string> prompts; // answered before and after
    std::string sweep;                // the grid that it is a point of; empty: of none
    double expectedSeconds = 0;       // as it was planned when it was added; 0: nobody knew
    // What of its entry in the file this version does not know, as JSON, and writes back as it was.
    std::string unknown;
    // Why it can't be read: it may have a setting of a later version, without which it must not be trained. Of such a
    // run the number is known, the name where it has one, and all of its entry is `unknown`.
    std::string problem, advice;
    bool isReadable() const { return problem.empty(); }
};
// Whether there is one that can begin some time: what can't be read waits for another version.
bool canGoOn(std::span<const QueuedRun> waiting);
// In the order given, before the run of this number, or to the end. Numbers that are not there are passed over.
void moveBefore(std::vector<QueuedRun>& waiting, std::span<const int64_t> numbers, std::optional<int64_t> before);
void remove(std::vector<QueuedRun>& waiting, std::span<const int64_t> numbers); // likewise

// A run that has left the line.
struct BegunRun {
    int64_t number = 0;
    std::string name, sweep;
    std::filesystem::path folder;          // of its results
    std::string problem = {}, advice = {}; // where it failed; it may have no folder then
    std::vector<std::string> devices = {};
    bool hasEnded = false; // as whoever trained it has written down
    std::string id = {};   // of the run in its folder (runs::StoredRun), once it has ended
};
// Whether what lies in its folder is its own: what failed where another was begun before it never had one.
bool hasOwnFolder(const BegunRun& run, std::span<const BegunRun> begun);

enum class AfterError { kGoOn, kPause };
constexpr std::array<const char*, 2> spellings(AfterError) {
    return {"go-on", "pause"};
}
enum class WhenDone { kNothing, kSleep };
constexpr std::array<const char*, 2> spellings(WhenDone) {
    return {"nothing", "sleep"};
}

// How the line is trained, by whoever does it.
struct QueueChoices {
    bool isPaused = false; // nothing begins; what is under way goes on
    AfterError afterError = AfterError::kGoOn;
    WhenDone whenDone = WhenDone::kNothing; // once: the machine that sleeps takes it back

    bool operator==(const QueueChoices&) const = default;
};

struct QueueContents {
    std::vector<QueuedRun> waiting; // the next first
    std::vector<BegunRun> begun;    // the last RunQueue::kMostBegun of them, the oldest first
    QueueChoices choices;
};

// Each call reads the file, and changes it whole, under a lock: any thread, any process. Throws kIo, kNoSpace, and
// kInvalidInput naming the file where it is damaged. A run that can't be read is no damage: it stays where it waits.
class RunQueue {
public:
    // `folder`: where file and lock lie; made with the first entry.
    explicit RunQueue(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    static RunQueue ofUser(); // userDataFolder()/queue

    QueueContents contents() const;
    std::vector<QueuedRun> waiting() const { return contents().waiting; }
    std::vector<BegunRun> begun() const { return contents().begun; }
    static constexpr std::size_t kMostBegun = 1000;

    // At the end of the line, in this order. Their numbers are given here. Returns the first one's.
    // Throws kInvalidInput where a setting, a prompt or a grid's name holds a secret, and where one is to have the
    // folder of another that waits, or of a run that there is.
    int64_t add(std::vector<QueuedRun> runs);
    // Before the run that is now at `place` (0: next), or to the end. Throws kInvalidInput where it waits no more.
    void move(int64_t number, std::size_t place);
    // All of them at once, as the functions above. Throws kInvalidInput where one waits no more; then all stay.
    void moveBefore(const std::vector<int64_t>& numbers, std::optional<int64_t> before);
    void remove(const std::vector<int64_t>& numbers);
    void choose(const std::function<void(QueueChoices&)>& change);
    // Takes out the first one that `mayBegin`, and writes down that it has begun. Nothing: none may, or the line
    // pauses. What can't be read is not asked about, and stands in nobody's way.
    std::optional<QueuedRun> take(const std::function<bool(const QueuedRun&)>& mayBegin);

    // Of one that has begun; no-op where so many have since that it is forgotten. A failure lets the line pause where
    // that was chosen.
    void noteFailure(int64_t number, const std::string& problem, const std::string& advice);
    void noteFolder(int64_t number, const std::filesystem::path& folder); // it was moved
    void noteEnds(std::span<const int64_t> numbers);                      // nobody trains them any more

    // Held by whoever trains the line, while he does. Throws kInvalidInput where another does already.
    runs::RunLock lockForTraining() const;
    bool isTrained() const { return runs::RunLock::isHeld(m_folder); }

private:
    std::filesystem::path m_folder;
};

} // namespace roundpipe::queue
