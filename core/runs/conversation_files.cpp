// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/conversation_files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "base/user_folders.h"
#include "runs/run_files.h"
#include "runs/stored_run.h"
#include "session/conversation.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".json";
constexpr std::size_t kMostOfName = 48; // bytes of a question

int64_t secondsOf(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

bool holdsConversation(const fs::path& file) {
    try {
        return session::isConversation(readTextFile(file, session::kMostOfConversation));
    } catch (const Error&) {
        return false;
    }
}

// Its first line, whole characters of it, without what ends a question.
std::string nameFor(const std::string& question) {
    std::string name = question.substr(0, question.find('\n'));
    if (name.size() > kMostOfName) {
        std::size_t end = kMostOfName;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
            --end;
        name.erase(end);
        if (const std::size_t blank = name.rfind(' '); blank != std::string::npos && blank > kMostOfName / 2)
            name.erase(blank);
    }
    while (!name.empty() && std::string_view(" ?!.:,;\t\r").find(name.back()) != std::string_view::npos)
        name.pop_back();
    return name.empty() ? "Conversation" : name;
}

} // namespace

fs::path conversationsFolderOf(const fs::path& adapterOrModel) {
    std::error_code none;
    fs::path path = fs::weakly_canonical(adapterOrModel, none);
    if (path.empty()) path = adapterOrModel;
    fs::path run = path.parent_path();
    if (run.filename() == RunFiles{}.checkpoints().filename()) run = run.parent_path();
    const bool isOfRun = !path.empty() && isRunFolder(run);
    return isOfRun ? RunFiles{run}.conversations() : RunFiles{userDataFolder()}.conversations();
}

std::vector<KeptConversation> listConversations(const fs::path& folder) {
    std::vector<KeptConversation> kept;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        const fs::path& file = entry->path();
        std::error_code lost;
        if (file.extension() != kEnding || !entry->is_regular_file(lost) || !holdsConversation(file)) continue;
        kept.push_back({file, file.stem().string(), secondsOf(entry->last_write_time(lost))});
    }
    std::ranges::sort(kept, [](const KeptConversation& a, const KeptConversation& b) {
        return std::pair(b.changedAt, a.name) < std::pair(a.changedAt, b.name);
    });
    return kept;
}

fs::path newConversationFile(const fs::path& folder, const std::string& firstQuestion) {
    return freshFile(folder, nameFor(firstQuestion), kEnding);
}

void keepConversation(const fs::path& file, const std::string& json) {
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed) throw ioError("make the folder", file.parent_path(), failed.value());
    writeFileAtomically(file, json);
}

fs::path renameConversation(const fs::path& file, const std::string& name) {
    if (name.find_first_not_of(" \t") == std::string::npos)
        throw invalidInput("A conversation needs a name.", "Write one.");
    if (name == file.stem().string()) return file;
    const fs::path plain = file.parent_path() / (name + kEnding);
    const fs::path target = freshFile(file.parent_path(), name, kEnding);
    std::error_code unseen;
    if (fs::exists(plain, unseen))
        throw invalidInput("A conversation is called '" + name + "' already.", "Choose another name.");
    std::error_code failed;
    fs::rename(file, target, failed);
    if (failed) throw ioError("rename", file, failed.value());
    return target;
}

void removeConversation(const fs::path& file) {
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) throw ioError("delete", file, failed.value());
}

} // namespace roundpipe::runs
