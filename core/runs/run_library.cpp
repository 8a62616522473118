// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_library.h"

#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "base/secrets.h"
#include "base/user_folders.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "session/spec/no_secret.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGoing = ".deleted-"; // before the name of what is being deleted

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw ioError("make the folder", folder, failed.value());
}

// What stands in the library: run folders and links to such. A folder that another program put there is none.
std::vector<fs::path> entriesOf(const fs::path& library) {
    std::vector<fs::path> entries;
    std::error_code failed;
    for (fs::directory_iterator entry(library, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (entry->path().filename().string().starts_with(kGoing)) continue;
        std::error_code lost;
        if (entry->is_symlink() && !fs::exists(entry->path(), lost))
            fs::remove(entry->path(), lost);
        else if (isRunFolder(entry->path()))
            entries.push_back(entry->path());
    }
    std::ranges::sort(entries);
    return entries;
}

std::string folderNameOf(const StoredRun& run) {
    return run.folder.filename().string();
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

void refuseIfRunning(const StoredRun& run, const std::string& doing) {
    if (RunLock::isHeld(run.folder))
        throw invalidInput("'" + run.name + "' is under way and can't be " + doing + ".", "Stop it first.");
}

std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
    return text.data();
}

} // namespace

fs::path runsFolder() {
    return userDataFolder() / "runs";
}

fs::path runsIndex() {
    return userDataFolder() / "runs.sqlite";
}

fs::path newRunFolder(const std::string& name) {
    constexpr std::size_t kMostOfName = 180; // so that the time stays, where a folder's name is cut off
    return freshFolder(runsFolder(), firstOfName(name, kMostOfName) + "-" + timestamp());
}

std::string shownFolderOf(const StoredRun& run) {
    return withoutSecrets(folderNameOf(run));
}

void linkRun(const fs::path& runFolder, const fs::path& library) {
    makeFolder(library);
    const fs::path target = fs::weakly_canonical(fs::absolute(runFolder));
    if (target.parent_path() == fs::weakly_canonical(library)) return;
    std::string name = target.filename().string();
    for (int number = 2;; ++number) {
        const fs::path link = library / name;
        std::error_code failed;
        if (fs::is_symlink(link) && fs::weakly_canonical(link, failed) == target) return;
        if (!fs::exists(fs::symlink_status(link))) {
            fs::create_directory_symlink(target, link, failed);
            if (failed) throw ioError("make the link", link, failed.value());
            return;
        }
        name = target.filename().string() + "-" + std::to_string(number);
    }
}

RunLibrary::RunLibrary(fs::path folder, const fs::path& index) : m_folder(std::move(folder)), m_index(index) {}

RunLibrary RunLibrary::ofUser() {
    return {runsFolder(), runsIndex()};
}

std::vector<StoredRun> RunLibrary::list() {
    std::vector<StoredRun> runs = m_index.runsIn(entriesOf(m_folder));
    std::ranges::stable_sort(runs, std::greater{}, &StoredRun::startedAt);
    return runs;
}

StoredRun RunLibrary::find(const std::string& which) {
    std::vector<StoredRun> runs = list();
    const std::string shown = withoutSecrets(which);
    std::vector<std::string> known, alike;
    for (const StoredRun& run : runs) {
        if (folderNameOf(run) == which) return run;
        known.push_back(folderNameOf(run));
        if (run.name == shown || shownFolderOf(run) == shown) alike.push_back(folderNameOf(run));
    }
    if (alike.size() == 1) return *std::ranges::find(runs, alike.front(), folderNameOf);
    if (alike.size() > 1)
        throw invalidInput("There are " + std::to_string(alike.size()) + " runs named '" + which + "'.",
                           "Say which one by its folder: " + joined(alike) + ".");
    if (std::error_code failed; isRunFolder(which) && fs::is_directory(which, failed)) {
        const auto same =
            std::ranges::find_if(runs, [&](const StoredRun& run) { return fs::equivalent(run.folder, which, failed); });
        return same != runs.end() ? *same : readRun(which);
    }
    throw invalidInput("There is no run '" + which + "'.", known.empty()
                                                               ? "There are no runs in '" + m_folder.string() + "' yet."
                                                               : "There are: " + joined(known) + ".");
}

void RunLibrary::rename(const StoredRun& run, const std::string& name) {
    if (name.find_first_not_of(" \t\n") == std::string::npos)
        throw invalidInput("The new name of '" + run.name + "' is empty.");
    session::requireNoSecret("The new name", name);
    refuseIfRunning(run, "renamed");
    session::RunSpec spec = specOf(run.folder);
    spec.name = name;
    rewriteSettings(spec, run.folder);
}

void RunLibrary::setNote(const StoredRun& run, const std::string& note) {
    session::requireNoSecret("The note", note);
    const fs::path file = RunFiles{run.folder}.note();
    if (!note.empty()) {
        writeFileAtomically(file, note);
        return;
    }
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) throw ioError("remove", file, failed.value());
}

bool RunLibrary::isInside(const StoredRun& run) const {
    std::error_code failed;
    return !fs::is_symlink(run.folder, failed) &&
           fs::weakly_canonical(run.folder).parent_path() == fs::weakly_canonical(m_folder);
}

void RunLibrary::remove(const StoredRun& run) {
    const fs::path entry = m_folder / run.folder.filename();
    if (run.folder != entry || !isRunFolder(entry))
        throw invalidInput("'" + run.folder.string() + "' is not in the list of runs.",
                           "Nothing outside '" + m_folder.string() + "' is ever deleted.");
    refuseIfRunning(run, "deleted");
    std::error_code failed;
    if (!isInside(run)) {
        fs::remove(entry, failed); // the link
        if (failed) throw ioError("remove the link", entry, failed.value());
        return;
    }
    removeFolder(entry, folderNameOf(run));
}

void requireCheckpoint(const StoredRun& run, const std::string& name) {
    std::vector<std::string> known;
    for (const StoredCheckpoint& checkpoint : run.checkpoints)
        known.push_back(checkpoint.name);
    if (std::ranges::find(known, name) == known.end())
        throw invalidInput("'" + run.name + "' has no checkpoint '" + name + "'.",
                           known.empty() ? "It has none." : "It has: " + joined(known) + ".");
}

void RunLibrary::refuseIfElsewhere(const StoredRun& run) const {
    if (!isInside(run))
        throw invalidInput("'" + run.folder.string() + "' lies elsewhere.",
                           "Nothing outside '" + m_folder.string() + "' is ever deleted; delete it there yourself.");
}

void RunLibrary::removeCheckpoint(const StoredRun& run, const std::string& name) {
    refuseIfElsewhere(run);
    refuseIfRunning(run, "changed");
    requireCheckpoint(readRun(run.folder), name);
    removeFolder(RunFiles{run.folder}.checkpoints() / name, folderNameOf(run) + "-" + name);
}

// Aside first: what is half deleted is never taken for a run, nor for a checkpoint.
void RunLibrary::removeFolder(const fs::path& folder, const std::string& asideName) {
    std::error_code failed;
    const fs::path aside = m_folder / (kGoing + asideName);
    fs::remove_all(aside, failed);
    fs::rename(folder, aside, failed);
    if (!failed) fs::remove_all(aside, failed);
    if (failed) throw ioError("delete", folder, failed.value());
}

} // namespace roundpipe::runs
