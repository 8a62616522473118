// SPDX-License-Identifier: GPL-3.0-or-later
// All runs of a user: a folder of run folders, and of links to those that were put elsewhere.
#pragma once

#include "runs/run_index.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::runs {

std::filesystem::path runsFolder(); // of the user: userDataFolder()/runs
std::filesystem::path runsIndex();  // beside it: runs.sqlite

// For a run that names no folder: one in runsFolder() that is not there yet, "NAME-20260131-142500". Makes nothing.
std::filesystem::path newRunFolder(const std::string& name);

// Lets a run that is put elsewhere be found: a link to its folder in `library`, which is made where need be. No-op for
// a folder that lies there or is linked already. Throws kIo.
void linkRun(const std::filesystem::path& runFolder, const std::filesystem::path& library);

// The name of its folder without secrets, as lists show it; find() knows the run by it.
std::string shownFolderOf(const StoredRun& run);

// One thread at a time.
class RunLibrary {
public:
    // `index`: where the index is kept.
    RunLibrary(std::filesystem::path folder, const std::filesystem::path& index);
    // Of the user: runsFolder() and runsIndex().
    static RunLibrary ofUser();

    const std::filesystem::path& folder() const { return m_folder; }

    // The latest first. Links to what is no longer there are removed.
    std::vector<StoredRun> list();

    // By its folder's name in the library, also as it is shown, by a path, or by its name where only one run has it.
    // Throws kInvalidInput that names what is there, or the runs that share the name.
    StoredRun find(const std::string& which);

    // Changes the name in its run.json. Throws kInvalidInput for an empty name, for one that holds a secret, as notes
    // do, and where it is under way.
    static void rename(const StoredRun& run, const std::string& name);
    static void setNote(const StoredRun& run, const std::string& note); // empty: none

    // Whether the folder itself lies in the library, so that remove() would delete files.
    bool isInside(const StoredRun& run) const;
    // Deletes the folder with all that is in it. A run that lies elsewhere is taken off the list only: outside the
    // library nothing is ever deleted. Throws kInvalidInput for a run that is under way, or that is not in the list.
    void remove(const StoredRun& run);
    // Throws kInvalidInput for a run outside of the library, of which no checkpoint is deleted.
    void refuseIfElsewhere(const StoredRun& run) const;
    // One of its checkpoints, "best". Throws kInvalidInput where the run is under way, lies elsewhere or has none of
    // that name.
    void removeCheckpoint(const StoredRun& run, const std::string& name);

private:
    void removeFolder(const std::filesystem::path& folder, const std::string& asideName);

    std::filesystem::path m_folder;
    RunIndex m_index;
};

// Throws kInvalidInput where the run has no checkpoint of that name, with those that it has.
void requireCheckpoint(const StoredRun& run, const std::string& name);

} // namespace roundpipe::runs
