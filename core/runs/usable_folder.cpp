// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/usable_folder.h"

#include "base/error.h"
#include "base/file.h"
#include "base/plain_words.h"
#include "runs/journal.h"
#include "runs/own_folders.h"
#include "runs/resumption.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> resultsOf(const RunFiles& files) {
    std::vector<fs::path> results;
    for (const fs::path& result : {files.adapter(), files.model()})
        if (fs::exists(result) && !fs::is_empty(result)) results.push_back(result);
    return results;
}

// Whether the run there was stopped and nothing of it was kept, but its curves: the next one may take the folder.
bool wasDiscarded(const RunFiles& files) {
    for (const fs::path& checkpoint : {files.lastCheckpoint(), files.bestCheckpoint()})
        if (fs::exists(fs::symlink_status(checkpoint))) return false; // a link, too, to what is not there for now
    if (!resultsOf(files).empty() || newestCheckpoint(files).newest) return false;
    try {
        return readStatus(files.folder).state == session::RunState::kStopped;
    } catch (const Error&) { // nobody knows
        return false;
    }
}

// Where what it points to is gone, as on a disk that is not mounted, a folder cannot be made, and "File exists" says
// nothing.
void requireNoDeadLink(const fs::path& folder) {
    for (fs::path part = folder; part.has_relative_path() && !fs::exists(part); part = part.parent_path())
        if (fs::is_symlink(fs::symlink_status(part)))
            throw invalidInput("'" + part.string() + "' is a link to '" + fs::read_symlink(part).string() +
                                   "', which is not there.",
                               "Make that folder, or choose another one for the run.");
}

// Where a run writes a file stands none, or a file: what is written through a link lands in one of somebody else, and a
// pipe would be waited for. The run's folder itself may be a link.
void requireOwnKinds(const RunFiles& files) {
    const char* const advice = "Move it away, or choose another folder for the run.";
    std::error_code unseen;
    for (const fs::path& path :
         {files.lock(), files.journal(), files.log(), files.spec(), files.status(), files.metrics(), files.answers(),
          files.samplePrompts(), files.trace(), files.checkpoints()}) {
        const fs::file_status found = fs::symlink_status(path, unseen);
        if (!fs::exists(found)) continue;
        if (fs::is_symlink(found))
            throw invalidInput("'" + path.string() + "' is a link, and was left as it is.", advice);
        if (path == files.checkpoints() && !fs::is_directory(found))
            throw invalidInput("'" + path.string() + "' is no folder, and a run keeps its checkpoints there.", advice);
        if (path != files.checkpoints() && !fs::is_regular_file(found))
            throw invalidInput("'" + path.string() + "' is no file, and a run writes one there.", advice);
    }
}

void requireAccess(const fs::path& path, int rights) {
    if (fs::exists(path) && ::access(path.c_str(), rights) != 0)
        throw ioError((rights & W_OK) != 0 ? "write" : "read", path, errno);
}

// Before anything is trained: files that are replaced are read, those that are added to written as well.
void requireRights(const RunFiles& files) {
    for (const fs::path& file : {files.spec(), files.status()})
        requireAccess(file, R_OK);
    for (const fs::path& file : {files.lock(), files.journal(), files.log(), files.metrics(), files.answers()})
        requireAccess(file, R_OK | W_OK);
    requireAccess(files.checkpoints(), R_OK | W_OK | X_OK);
}

// What may not be looked at is said as all that can't be read.
template <class Body>
auto inWords(const Body& body) {
    try {
        return body();
    } catch (const fs::filesystem_error& error) {
        throw ioError("read", error.path1(), error.code().value());
    }
}

void requireMakeable(const fs::path& folder) {
    fs::path parent = folder;
    while (parent.has_relative_path() && !fs::exists(parent))
        parent = parent.parent_path();
    if (!fs::is_directory(parent)) throw ioError("make the folder", folder, ENOTDIR);
    if (::access(parent.c_str(), W_OK | X_OK) != 0) throw ioError("make the folder", folder, errno);
}

// Whether what lies there is a run's, as far as anybody can tell.
bool isOfARun(const RunFiles& files) {
    try {
        if (!readJournal(files.journal()).empty()) return true;
        readStatus(files.folder);
        return true;
    } catch (const Error&) {
        return false;
    }
}

// All that a run writes in its folder and would be gone with the next one.
std::vector<fs::path> writtenBy(const RunFiles& files) {
    return {files.spec(),           files.status(),         files.metrics(), files.answers(), files.samplePrompts(),
            files.exports(),        files.conversations(),  files.log(),     files.trace(),   files.journal(),
            files.lastCheckpoint(), files.bestCheckpoint(), files.adapter(), files.model()};
}

bool isEmptyFolder(const fs::path& path) {
    return fs::is_directory(fs::symlink_status(path)) && fs::is_empty(path);
}

void requireNone(const std::vector<fs::path>& others) {
    for (const fs::path& other : others)
        throw invalidInput("'" + other.string() + "' is there already, and was not made by a run in this folder.",
                           "Choose another folder for the run, or move it away.");
}

// What stands under the names of a run's files where no run was.
void requireNothingOfOthers(const RunFiles& files) {
    std::vector<fs::path> others;
    std::ranges::copy_if(writtenBy(files), std::back_inserter(others), [](const fs::path& path) {
        return fs::exists(fs::symlink_status(path)) && !isEmptyFolder(path);
    });
    requireNone(others);
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

// Commands that can be followed as they stand, but for the folder's name.
std::string insteadOfGoingOn(const RunFiles& files) {
    const std::vector<fs::path> results = resultsOf(files);
    if (!fs::exists(files.spec()))
        return results.empty() ? "Begin a run anew, in another folder."
                               : "Start a run from what it made (roundpipe train --start-from " +
                                     shellWord(results.front().string()) +
                                     " --model MODEL --data FILE --out FOLDER), or begin one anew, in another folder.";
    const std::string anew = "roundpipe train " + shellWord(files.spec().string());
    if (results.empty()) return "Begin it anew, in another folder: " + anew + " --out FOLDER.";
    return "Start a run from what it made (" + anew + " --start-from " + shellWord(files.folder.string()) +
           " --out FOLDER), or begin it anew (" + anew + " --out FOLDER).";
}

std::string withoutDeadCheckpoint(const RunFiles& files) {
    if (newestCheckpoint(files, LookAt::kBytes).newest)
        return "Put the checkpoint back, or move the link away: then the run goes on from another one.";
    return "Put the checkpoint back: there is no other one to go on from. If it is lost: " + insteadOfGoingOn(files);
}

// What it leads to may be the newest checkpoint, on a disk that is not mounted.
void requireNoDeadCheckpoint(const RunFiles& files) {
    for (const fs::path& checkpoint : {files.lastCheckpoint(), files.bestCheckpoint()})
        if (fs::is_symlink(fs::symlink_status(checkpoint)) && !fs::exists(checkpoint))
            throw invalidInput("'" + checkpoint.string() + "' is a link to '" + fs::read_symlink(checkpoint).string() +
                                   "', which is not there.",
                               withoutDeadCheckpoint(files));
}

// Reads all of the checkpoint that is found.
CheckpointSearch searched(const RunFiles& files) {
    requireNoDeadCheckpoint(files);
    CheckpointSearch search = newestCheckpoint(files, LookAt::kBytes);
    if (search.newest) return search;
    if (!search.damaged.empty())
        throw invalidInput("The run cannot go on from '" + files.checkpoints().string() +
                               "': what is there is damaged, or was changed. " + joined(search.damaged),
                           insteadOfGoingOn(files));
    if (!resultsOf(files).empty())
        throw invalidInput("'" + files.folder.string() + "' has no checkpoint to go on from.", insteadOfGoingOn(files));
    return search;
}

// What --resume would say must help, or it is not named: the two would send people to each other. So it looks as that
// does, and reads a checkpoint only now that there is something to say.
std::string besideResults(const RunFiles& files) {
    try {
        searched(files);
    } catch (const Error& error) {
        return "Its run cannot go on. " + error.message() + " " + error.advice();
    }
    return "Choose another folder, remove that one, or continue its run (on the command line: --resume).";
}

void requireFree(const RunFiles& files) {
    const bool isOurs = isOfARun(files);
    if (!wasDiscarded(files)) {
        if (newestCheckpoint(files).newest || (isOurs && (fs::exists(files.metrics()) || !resultsOf(files).empty())))
            throw invalidInput("'" + files.folder.string() + "' holds the results of another run.",
                               besideResults(files));
        requireNone(resultsOf(files));
    }
    if (!isOurs) requireNothingOfOthers(files);
    std::vector<fs::path> others;
    std::ranges::copy_if(replaceableFolders(files), std::back_inserter(others), [&](const fs::path& path) {
        return !isEmptyFolder(path) && !(isOurs && holdsOnlyOwnFiles(path));
    });
    requireNone(others);
}

RunFiles filesIn(const fs::path& folder, bool resume) {
    if (folder.empty()) throw invalidInput("'output.folder' is empty.", "Choose a folder for the run.");
    const RunFiles files{fs::absolute(folder)};
    std::error_code failed;
    if (!fs::status_known(fs::status(files.folder, failed))) // as of a name that is too long
        throw ioError("use the folder", files.folder, failed.value());
    if (fs::exists(files.folder) && !fs::is_directory(files.folder))
        throw invalidInput("'" + files.folder.string() + "' is a file.", "Choose a folder for the run.");
    requireNoDeadLink(files.folder);
    requireAccess(files.folder, R_OK | X_OK);
    requireOwnKinds(files);
    requireRights(files);
    const bool isNew = !fs::exists(files.folder) || fs::is_empty(files.folder); // it may be killed before it makes it
    if (resume && !isNew) requireRun(files.folder);
    return files;
}

CheckpointSearch startThere(const RunFiles& files, bool resume) {
    if (!resume) requireFree(files);
    CheckpointSearch search = resume ? searched(files) : CheckpointSearch();
    if (resume && !search.newest && !isOfARun(files)) requireNothingOfOthers(files);
    return search;
}

} // namespace

RunFiles filesForRun(const fs::path& folder, bool resume) {
    return inWords([&] { return filesIn(folder, resume); });
}

CheckpointSearch startIn(const RunFiles& files, bool resume) {
    return inWords([&] { return startThere(files, resume); });
}

CheckpointSearch requireUsable(const fs::path& folder, bool resume) {
    const RunFiles files = filesForRun(folder, resume);
    if (!fs::exists(files.folder)) {
        requireMakeable(files.checkpoints());
        return {};
    }
    RunLock::requireUnheld(files.folder);
    requireWritable(files.folder);
    return startIn(files, resume);
}

} // namespace roundpipe::runs
