// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/run_queue.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "base/user_folders.h"
#include "runs/run_library.h"
#include "runs/stored_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::queue {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int64_t kMostBytes = int64_t{1} << 28; // of the file: a thousand runs have a few MiB

struct Stored : QueueContents {
    int64_t nextNumber = 1;
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

std::vector<std::string> promptsIn(const Json& texts) {
    std::vector<std::string> prompts;
    for (const Json& text : texts)
        prompts.push_back(bytesIn(text));
    return prompts;
}

Json promptsAsText(const std::vector<std::string>& prompts) {
    Json texts = Json::array();
    for (const std::string& prompt : prompts)
        texts.push_back(asText(prompt));
    return texts;
}

// A later version may have settings that this one does not know: the run must not be trained without them.
session::RunSpec specIn(const Json& run, const fs::path& file) {
    try {
        return session::parseRunSpec(run.at("run").dump(), file.string());
    } catch (const Error& error) {
        const int64_t number = run.at("number");
        throw invalidInput(
            fmt::format("Run {} of the queue can't be read. {}", number, error.message()),
            fmt::format("Train it by the version that added it, or take run {} out of '{}'.", number, file.string()));
    }
}

Stored readStored(const fs::path& folder) {
    const fs::path file = fileIn(folder);
    std::error_code absent;
    if (!fs::exists(file, absent)) return {};
    const std::string text = readTextFile(file, kMostBytes);
    try {
        const Json json = Json::parse(text);
        Stored stored;
        stored.nextNumber = json.at("next_number");
        for (const Json& run : json.at("waiting"))
            stored.waiting.push_back({run.at("number"), specIn(run, file), promptsIn(run.at("prompts")),
                                      bytesIn(run.at("sweep")), run.value("expected_seconds", 0.0)});
        for (const Json& run : json.at("begun"))
            stored.begun.push_back({run.at("number"), bytesIn(run.value("name", std::string())),
                                    bytesIn(run.at("sweep")), bytesIn(run.at("folder")),
                                    bytesIn(run.value("problem", std::string())),
                                    bytesIn(run.value("advice", std::string()))});
        stored.choices = choicesIn(json);
        return stored;
    } catch (const Json::exception& error) {
        throw invalidInput("The queue '" + file.string() +
                               "' is damaged: " + wordsForJsonError(error.id, error.what(), text) + ".",
                           "Mend it there, or move the file away: what waits is then to be added again; runs that "
                           "have begun are not touched by that.");
    }
}

void writeStored(const Stored& stored, const fs::path& folder) {
    Json json = {{"next_number", stored.nextNumber}, {"waiting", Json::array()}, {"begun", Json::array()}};
    for (const QueuedRun& run : stored.waiting)
        json["waiting"].push_back({{"number", run.number},
                                   {"run", Json::parse(session::toJson(run.spec))},
                                   {"prompts", promptsAsText(run.prompts)},
                                   {"sweep", asText(run.sweep)},
                                   {"expected_seconds", run.expectedSeconds}});
    for (const BegunRun& run : stored.begun) {
        Json& begun = json["begun"].emplace_back(Json{{"number", run.number},
                                                      {"name", asText(run.name)},
                                                      {"sweep", asText(run.sweep)},
                                                      {"folder", asText(run.folder.string())}});
        if (run.problem.empty()) continue;
        begun["problem"] = asText(run.problem);
        begun["advice"] = asText(run.advice);
    }
    json["choices"] = {{"paused", stored.choices.isPaused},
                       {"after_error", spellingOf(stored.choices.afterError)},
                       {"when_done", spellingOf(stored.choices.whenDone)}};
    writeFileAtomically(fileIn(folder), json.dump(2));
}

auto placeOf(Stored& stored, int64_t number) {
    const auto found = std::ranges::find(stored.waiting, number, &QueuedRun::number);
    if (found == stored.waiting.end())
        throw invalidInput("No run of number " + std::to_string(number) + " waits in the queue.",
                           "`roundpipe queue list` shows which do.");
    return found;
}

BegunRun* begunIn(Stored& stored, int64_t number) {
    const auto found = std::ranges::find(stored.begun, number, &BegunRun::number);
    return found == stored.begun.end() ? nullptr : &*found;
}

// It would be refused when its turn comes, in the middle of the night.
void checkFolder(const QueuedRun& run, std::span<const QueuedRun> waiting) {
    const std::string& folder = run.spec.output.folder;
    if (folder.empty()) return; // one is found when it begins
    const auto other = std::ranges::find(waiting, folder, [](const QueuedRun& one) { return one.spec.output.folder; });
    const char* const advice = "Name another one by output.folder (--out), or none, and it gets one of its own.";
    if (other != waiting.end())
        throw invalidInput(fmt::format("The folder '{}' of '{}' is that of run {}, '{}', which waits already.", folder,
                                       run.spec.name, other->number, other->spec.name),
                           advice);
    if (runs::isRunFolder(folder))
        throw invalidInput(fmt::format("The folder '{}' of '{}' holds a run already.", folder, run.spec.name), advice);
}

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

int64_t RunQueue::add(std::vector<QueuedRun> runs) {
    return changed(m_folder, [&](Stored& stored) {
        const int64_t first = stored.nextNumber;
        for (QueuedRun& run : runs) {
            run.number = stored.nextNumber++;
            checkFolder(run, stored.waiting);
            stored.waiting.push_back(std::move(run));
        }
        return first;
    });
}

void RunQueue::move(int64_t number, std::size_t place) {
    changed(m_folder, [&](Stored& stored) {
        const auto at = placeOf(stored, number);
        QueuedRun run = std::move(*at);
        stored.waiting.erase(at);
        const auto to = static_cast<std::ptrdiff_t>(std::min(place, stored.waiting.size()));
        stored.waiting.insert(stored.waiting.begin() + to, std::move(run));
        return 0;
    });
}

void RunQueue::remove(const std::vector<int64_t>& numbers) {
    changed(m_folder, [&](Stored& stored) {
        for (const int64_t number : numbers)
            stored.waiting.erase(placeOf(stored, number));
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
    return changed(m_folder, [&](Stored& stored) -> std::optional<QueuedRun> {
        if (stored.choices.isPaused) return std::nullopt;
        const auto found = std::ranges::find_if(stored.waiting, mayBegin);
        if (found == stored.waiting.end()) return std::nullopt;
        QueuedRun run = std::move(*found);
        stored.waiting.erase(found);
        if (run.spec.output.folder.empty()) run.spec.output.folder = runs::newRunFolder(run.spec.name).string();
        stored.begun.push_back({run.number, run.spec.name, run.sweep, run.spec.output.folder, {}, {}});
        if (stored.begun.size() > kMostBegun) stored.begun.erase(stored.begun.begin());
        return run;
    });
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
