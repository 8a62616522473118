// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/run_queue.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "base/secrets.h"
#include "base/units.h"
#include "base/user_folders.h"
#include "queue/sweep.h"
#include "runs/run_library.h"
#include "runs/stored_run.h"
#include "runs/usable_folder.h"
#include "session/spec/no_secret.h"
#include "session/spec/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::queue {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int64_t kMostBytes = int64_t{64} << 20; // of the file: a thousand runs have a few MiB
constexpr int64_t kNoNumber = int64_t{1} << 53;   // up to it all programs read whole numbers in JSON
constexpr int kDeepest = 100;                     // brackets within brackets, for who writes it back
constexpr double kMostSeconds = 1e12;             // of what a run is expected to take

struct Stored : QueueContents {
    int64_t nextNumber = 1;
    Json asRead = Json::object(); // what stands there beside the runs, and may be a later version's
};

fs::path fileIn(const fs::path& folder) {
    return folder / "queue.json";
}

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw ioError("make the folder", folder, failed.value());
}

// Waits for another program that changes the queue, which takes milliseconds.
class QueueLock {
public:
    explicit QueueLock(const fs::path& folder) {
        makeFolder(folder);
        const fs::path path = folder / "queue.lock";
        m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (m_descriptor < 0 || ::flock(m_descriptor, LOCK_EX) != 0) throw ioError("lock", path, errno);
    }
    ~QueueLock() { ::close(m_descriptor); }
    QueueLock(const QueueLock&) = delete;
    QueueLock& operator=(const QueueLock&) = delete;

private:
    int m_descriptor = -1;
};

// What a later version may choose is not known here.
template <class Choice>
Choice choiceIn(const Json& json, const char* key) {
    return fromSpelling<Choice>(json.value(key, std::string())).value_or(Choice{});
}

// Files of a version that knew none have none.
QueueChoices choicesIn(const Json& json) {
    const Json choices = json.value("choices", Json::object());
    return {choices.value("paused", false), choiceIn<AfterError>(choices, "after_error"),
            choiceIn<WhenDone>(choices, "when_done")};
}

// A person's words and a path are any bytes; the file holds them as text.
std::string bytesIn(const Json& text) {
    return bytesOf(text.get<std::string>());
}

// Older versions took names with secrets.
std::string nameIn(const Json& text) {
    return withoutSecrets(bytesIn(text));
}

std::vector<std::string> listIn(const Json& texts) {
    std::vector<std::string> list;
    for (const Json& text : texts)
        list.push_back(bytesIn(text));
    return list;
}

Json textsOf(const std::vector<std::string>& list) {
    Json texts = Json::array();
    for (const std::string& item : list)
        texts.push_back(asText(item));
    return texts;
}

Error damaged(const fs::path& file, const std::string& words) {
    return invalidInput("The queue '" + file.string() + "' is damaged: " + words + ".",
                        "Mend it there, or move the file away: what waits is then to be added again; runs that "
                        "have begun are not touched by that.");
}

// Numbers are never read as what they are not: 1e30 as a whole number would be any.
int64_t wholeNumberIn(const Json& json, const char* key, int64_t below, const fs::path& file) {
    const Json& value = json.at(key);
    const bool fits = value.is_number_integer() && (!value.is_number_unsigned() || value.get<uint64_t>() < kNoNumber);
    if (!fits || value.get<int64_t>() < 1 || value.get<int64_t>() >= below)
        throw damaged(file, fmt::format("'{}' is {}, and is to be a whole number above 0 and below {}", key,
                                        value.dump(), below));
    return value;
}

double secondsIn(const Json& entry, const std::string& which) {
    const double seconds = entry.value("expected_seconds", 0.0);
    if (!(seconds >= 0 && seconds <= kMostSeconds))
        throw invalidInput(fmt::format("{}: 'expected_seconds' is {}, and is to be from 0 to {}.", which,
                                       entry.at("expected_seconds").dump(), kMostSeconds));
    return seconds;
}

std::string withoutKnownKeys(Json entry) {
    for (const char* key : {"number", "run", "prompts", "sweep", "expected_seconds"})
        entry.erase(key);
    return entry.empty() ? std::string() : entry.dump();
}

// Of a run that can't be read: what people know it by.
QueuedRun unreadable(const Json& entry, int64_t number, const std::string& why, const fs::path& file) {
    QueuedRun run;
    run.number = number;
    const auto textAt = [](const Json& json, const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? nameIn(*found) : std::string();
    };
    if (const auto spec = entry.find("run"); spec != entry.end()) run.spec.name = textAt(*spec, "name");
    run.sweep = textAt(entry, "sweep");
    run.unknown = entry.dump();
    run.problem = why;
    run.advice = fmt::format("Train it by the version that added it, or take it out of the queue. It stands in '{}'.",
                             file.string());
    return run;
}

// A later version may have settings that this one does not know: the run must not be trained without them.
QueuedRun waitingRunIn(const Json& entry, int64_t nextNumber, const fs::path& file) {
    const int64_t number = wholeNumberIn(entry, "number", nextNumber, file);
    const std::string which = fmt::format("Run {} of the queue", number);
    try {
        QueuedRun run;
        run.number = number;
        run.spec = session::parseRunSpec(entry.at("run").dump(), which);
        run.spec.name = withoutSecrets(std::move(run.spec.name));
        run.prompts = listIn(entry.at("prompts"));
        run.sweep = nameIn(entry.at("sweep"));
        run.expectedSeconds = secondsIn(entry, which);
        run.unknown = withoutKnownKeys(entry);
        return run;
    } catch (const Error& error) {
        return unreadable(entry, number, error.message(), file);
    } catch (const Json::exception& error) {
        return unreadable(entry, number, which + " is damaged: " + wordsForJsonError(error.id, error.what(), "") + ".",
                          file);
    }
}

BegunRun begunRunIn(const Json& entry, int64_t nextNumber, const fs::path& file) {
    const auto textAt = [&](const char* key) { return bytesIn(entry.value(key, std::string())); };
    BegunRun run;
    run.number = wholeNumberIn(entry, "number", nextNumber, file);
    run.name = withoutSecrets(textAt("name"));
    run.sweep = nameIn(entry.at("sweep"));
    run.folder = bytesIn(entry.at("folder"));
    run.problem = textAt("problem");
    run.advice = textAt("advice");
    run.devices = listIn(entry.value("devices", Json::array()));
    run.hasEnded = entry.value("ended", false);
    run.id = textAt("id");
    return run;
}

void requireDifferentNumbers(const Stored& stored, const fs::path& file) {
    std::set<int64_t> numbers;
    for (const QueuedRun& run : stored.waiting)
        if (!numbers.insert(run.number).second) throw damaged(file, fmt::format("two runs have number {}", run.number));
}

Stored readStored(const fs::path& folder) {
    const fs::path file = fileIn(folder);
    std::error_code absent;
    if (!fs::exists(file, absent)) return {};
    const std::string text = readTextFile(file, kMostBytes);
    try {
        Stored stored;
        stored.asRead = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
            if (depth > kDeepest) throw damaged(file, fmt::format("it is nested more than {} deep", kDeepest));
            return true;
        });
        const Json& json = stored.asRead;
        stored.nextNumber = wholeNumberIn(json, "next_number", kNoNumber, file);
        for (const Json& run : json.at("waiting"))
            stored.waiting.push_back(waitingRunIn(run, stored.nextNumber, file));
        for (const Json& run : json.at("begun"))
            stored.begun.push_back(begunRunIn(run, stored.nextNumber, file));
        requireDifferentNumbers(stored, file);
        stored.choices = choicesIn(json);
        stored.asRead.erase("waiting");
        stored.asRead.erase("begun");
        return stored;
    } catch (const Json::exception& error) {
        throw damaged(file, wordsForJsonError(error.id, error.what(), text));
    }
}

Json asJson(const QueuedRun& run) {
    Json entry = run.unknown.empty() ? Json::object() : Json::parse(run.unknown);
    entry["number"] = run.number;
    if (!run.isReadable()) return entry;
    entry.update({{"run", Json::parse(session::toJson(run.spec))},
                  {"prompts", textsOf(run.prompts)},
                  {"sweep", asText(run.sweep)},
                  {"expected_seconds", run.expectedSeconds}});
    return entry;
}

Json asJson(const BegunRun& run) {
    Json entry = {{"number", run.number},
                  {"name", asText(run.name)},
                  {"sweep", asText(run.sweep)},
                  {"folder", asText(run.folder.string())},
                  {"devices", textsOf(run.devices)}};
    if (run.hasEnded) entry["ended"] = true;
    if (!run.id.empty()) entry["id"] = run.id;
    if (run.problem.empty()) return entry;
    entry["problem"] = asText(run.problem);
    entry["advice"] = asText(run.advice);
    return entry;
}

// What a later version has chosen stays as long as nobody chooses another one here.
Json asJson(const QueueChoices& choices, const Json& asRead) {
    Json json = asRead.value("choices", Json::object());
    const QueueChoices before = choicesIn(asRead);
    json["paused"] = choices.isPaused;
    if (choices.afterError != before.afterError || !json.contains("after_error"))
        json["after_error"] = spellingOf(choices.afterError);
    if (choices.whenDone != before.whenDone || !json.contains("when_done"))
        json["when_done"] = spellingOf(choices.whenDone);
    return json;
}

void writeStored(const Stored& stored, const fs::path& folder) {
    Json json = stored.asRead;
    json["next_number"] = stored.nextNumber;
    json["waiting"] = Json::array();
    for (const QueuedRun& run : stored.waiting)
        json["waiting"].push_back(asJson(run));
    json["begun"] = Json::array();
    for (const BegunRun& run : stored.begun)
        json["begun"].push_back(asJson(run));
    json["choices"] = asJson(stored.choices, stored.asRead);
    const std::string text = json.dump(2);
    if (std::ssize(text) > kMostBytes)
        throw invalidInput(fmt::format("The queue would have {}, where {} are read at most.",
                                       formatBytes(std::ssize(text)), formatBytes(kMostBytes)),
                           "Add fewer runs at a time, or runs with shorter prompts.");
    writeFileAtomically(fileIn(folder), text);
}

void requireWaiting(const Stored& stored, std::span<const int64_t> numbers) {
    std::set<int64_t> waiting;
    for (const QueuedRun& run : stored.waiting)
        waiting.insert(run.number);
    for (const int64_t number : numbers)
        if (!waiting.contains(number))
            throw invalidInput("No run of number " + std::to_string(number) + " waits in the queue.",
                               "`roundpipe queue list` shows which do.");
}

BegunRun* begunIn(Stored& stored, int64_t number) {
    const auto found = std::ranges::find(stored.begun, number, &BegunRun::number);
    return found == stored.begun.end() ? nullptr : &*found;
}

void requireNoSecrets(const QueuedRun& run) {
    for (const session::Field& field : session::runSpecFields())
        for (std::size_t i = 0; i < (field.isOfDataset ? run.spec.data.datasets.size() : 1); ++i)
            session::requireNoSecret(field, field.get(run.spec, i));
    for (const std::string& prompt : run.prompts)
        session::requireNoSecret(session::kPrompt, prompt);
    session::requireNoSecret("The grid's name", run.sweep);
}

// It would be refused when its turn comes, in the middle of the night.
void checkFolder(const QueuedRun& run, std::span<const QueuedRun> waiting) {
    const std::string& folder = run.spec.output.folder;
    if (folder.empty()) return; // one is found when it begins
    const auto other = std::ranges::find(waiting, folder, [](const QueuedRun& one) { return one.spec.output.folder; });
    if (other != waiting.end())
        throw invalidInput(fmt::format("The folder '{}' of '{}' is that of run {}, '{}', which waits already.", folder,
                                       nameOf(run), other->number, nameOf(*other)),
                           "Name another one by output.folder (--out), or none, and it gets one of its own.");
    if (std::error_code unseen; fs::exists(folder, unseen)) runs::requireUsable(folder, false);
}

// Of a run that is taken from the line: gone again where the line could not be written, as it then still waits.
class NewFolder {
public:
    NewFolder() = default;
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder() {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove(m_path, ignored);
    }
    const fs::path& make(const std::string& name) { return m_path = runs::newRunFolder(name); }
    void keep() { m_path.clear(); }

private:
    fs::path m_path;
};

template <class Change>
auto changed(const fs::path& folder, const Change& change) {
    const QueueLock lock(folder);
    Stored stored = readStored(folder);
    auto result = change(stored);
    writeStored(stored, folder);
    return result;
}

} // namespace

RunQueue RunQueue::ofUser() {
    return RunQueue(userDataFolder() / "queue");
}

QueueContents RunQueue::contents() const {
    return readStored(m_folder); // it is replaced whole, so there is no half of it to be read
}

bool hasOwnFolder(const BegunRun& run, std::span<const BegunRun> begun) {
    return run.problem.empty() || std::ranges::none_of(begun, [&](const BegunRun& other) {
               return other.number < run.number && other.folder == run.folder;
           });
}

bool canGoOn(std::span<const QueuedRun> waiting) {
    return std::ranges::any_of(waiting, &QueuedRun::isReadable);
}

void moveBefore(std::vector<QueuedRun>& waiting, std::span<const int64_t> numbers, std::optional<int64_t> before) {
    std::map<int64_t, QueuedRun> moved;
    for (const int64_t number : numbers)
        moved.try_emplace(number);
    std::vector<QueuedRun> order;
    order.reserve(waiting.size());
    for (QueuedRun& run : waiting)
        if (const auto found = moved.find(run.number); found != moved.end())
            found->second = std::move(run);
        else
            order.push_back(std::move(run));
    auto place = before ? std::ranges::find(order, *before, &QueuedRun::number) : order.end();
    std::vector<QueuedRun> between;
    for (const int64_t number : numbers)
        if (auto found = moved.extract(number); !found.empty() && found.mapped().number == number)
            between.push_back(std::move(found.mapped()));
    order.insert(place, std::move_iterator(between.begin()), std::move_iterator(between.end()));
    waiting = std::move(order);
}

void remove(std::vector<QueuedRun>& waiting, std::span<const int64_t> numbers) {
    const std::set<int64_t> gone(numbers.begin(), numbers.end());
    std::erase_if(waiting, [&](const QueuedRun& run) { return gone.contains(run.number); });
}

int64_t RunQueue::add(std::vector<QueuedRun> runs) {
    return changed(m_folder, [&](Stored& stored) {
        const int64_t first = stored.nextNumber;
        for (QueuedRun& run : runs) {
            run.number = stored.nextNumber++;
            requireNoSecrets(run);
            checkFolder(run, stored.waiting);
            stored.waiting.push_back(std::move(run));
        }
        return first;
    });
}

void RunQueue::move(int64_t number, std::size_t place) {
    changed(m_folder, [&](Stored& stored) {
        const std::array one{number};
        requireWaiting(stored, one);
        std::vector<int64_t> others;
        for (const QueuedRun& run : stored.waiting)
            if (run.number != number) others.push_back(run.number);
        queue::moveBefore(stored.waiting, one, place < others.size() ? std::optional(others[place]) : std::nullopt);
        return 0;
    });
}

void RunQueue::moveBefore(const std::vector<int64_t>& numbers, std::optional<int64_t> before) {
    changed(m_folder, [&](Stored& stored) {
        requireWaiting(stored, numbers);
        queue::moveBefore(stored.waiting, numbers, before);
        return 0;
    });
}

void RunQueue::remove(const std::vector<int64_t>& numbers) {
    changed(m_folder, [&](Stored& stored) {
        requireWaiting(stored, numbers);
        queue::remove(stored.waiting, numbers);
        return 0;
    });
}

void RunQueue::choose(const std::function<void(QueueChoices&)>& change) {
    changed(m_folder, [&](Stored& stored) {
        change(stored.choices);
        return 0;
    });
}

std::optional<QueuedRun> RunQueue::take(const std::function<bool(const QueuedRun&)>& mayBegin) {
    NewFolder made;
    auto taken = changed(m_folder, [&](Stored& stored) -> std::optional<QueuedRun> {
        if (stored.choices.isPaused) return std::nullopt;
        const auto found = std::ranges::find_if(
            stored.waiting, [&](const QueuedRun& run) { return run.isReadable() && mayBegin(run); });
        if (found == stored.waiting.end()) return std::nullopt;
        QueuedRun run = std::move(*found);
        stored.waiting.erase(found);
        if (run.spec.output.folder.empty()) run.spec.output.folder = made.make(run.spec.name).string();
        stored.begun.push_back(
            {run.number, run.spec.name, run.sweep, run.spec.output.folder, {}, {}, run.spec.engine.devices});
        if (stored.begun.size() > kMostBegun) stored.begun.erase(stored.begun.begin());
        return run;
    });
    made.keep();
    return taken;
}

void RunQueue::noteFailure(int64_t number, const std::string& problem, const std::string& advice) {
    changed(m_folder, [&](Stored& stored) {
        if (BegunRun* run = begunIn(stored, number)) {
            run->problem = problem;
            run->advice = advice;
        }
        if (stored.choices.afterError == AfterError::kPause) stored.choices.isPaused = true;
        return 0;
    });
}

void RunQueue::noteFolder(int64_t number, const fs::path& folder) {
    changed(m_folder, [&](Stored& stored) {
        if (BegunRun* run = begunIn(stored, number)) run->folder = folder;
        return 0;
    });
}

void RunQueue::noteEnds(std::span<const int64_t> numbers) {
    if (numbers.empty()) return;
    changed(m_folder, [&](Stored& stored) {
        for (const int64_t number : numbers)
            if (BegunRun* run = begunIn(stored, number)) {
                run->hasEnded = true;
                if (hasOwnFolder(*run, stored.begun)) run->id = runs::idOf(run->folder);
            }
        return 0;
    });
}

runs::RunLock RunQueue::lockForTraining() const {
    makeFolder(m_folder);
    try {
        return runs::RunLock(m_folder);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidInput) throw;
        throw invalidInput("Another `roundpipe queue run` trains what waits already.", "It takes what is added, too.");
    }
}

} // namespace roundpipe::queue
