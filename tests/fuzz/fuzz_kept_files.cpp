// SPDX-License-Identifier: GPL-3.0-or-later
// One kind of file of any bytes that programs of this user share: refused in words, or read as it would be written.
// FUZZ_FILE (profile, queue, …) says which.
#include "file_target.h"
#include "fuzz_target.h"
#include "plan/cost/profile_store.h"
#include "queue/run_queue.h"
#include "session/conversation.h"
#include "session/spec/prompts_file.h"

#include <string>
#include <vector>

using namespace roundpipe;
namespace fs = std::filesystem;

namespace {

namespace kinds {

[[maybe_unused]] void profile(Bytes bytes) {
    const auto read = plan::parseProfile(bytes, "the input");
    if (!read) return; // of another version
    const std::string written = plan::toJson(*read);
    require(plan::toJson(*plan::parseProfile(written, "written")) == written, "a profile is read as written");
}

// What a change of the line writes back, and what taking from it does.
[[maybe_unused]] void queue(Bytes bytes) {
    static const bool ownHome = ::setenv("XDG_DATA_HOME", folderWith("queue.lock", "").c_str(), 1) == 0;
    require(ownHome, "new folders lie in a place of ours");
    queue::RunQueue line(folderWith("queue.json", bytes));
    const auto before = line.waiting();
    line.choose([](queue::QueueChoices& choices) { choices.isPaused = false; });
    const auto after = line.contents();
    require(after.waiting.size() == before.size(), "nothing is lost by a change");
    for (std::size_t i = 0; i < before.size(); ++i)
        require(after.waiting[i].number == before[i].number && after.waiting[i].unknown == before[i].unknown &&
                    session::toJson(after.waiting[i].spec) == session::toJson(before[i].spec),
                "a run waits as it did");
    const auto taken = line.take([](const queue::QueuedRun&) { return true; });
    if (!taken) return;
    line.noteFailure(taken->number, "\xFF", "none");
    require(line.waiting().size() == before.size() - 1, "one has left the line");
}

[[maybe_unused]] void chat(Bytes bytes) {
    const std::string text(bytes);
    (void)session::isConversation(text);
    const std::string written = session::conversationJson(session::conversationIn(text));
    require(session::isConversation(written), "what is written is known again");
    require(session::conversationJson(session::conversationIn(written)) == written,
            "a conversation is read as written");
}

[[maybe_unused]] void prompts(Bytes bytes) {
    const fs::path runFile = folderWith("prompts.json", bytes) / "run.json";
    const std::vector<std::string> read = session::readPrompts(runFile);
    session::writePrompts(read, runFile);
    require(session::readPrompts(runFile) == read, "prompts are read as written");
}

} // namespace kinds
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return takenOrRefused(kinds::FUZZ_FILE, data, size);
}
