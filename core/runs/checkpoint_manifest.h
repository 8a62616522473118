// SPDX-License-Identifier: GPL-3.0-or-later
// manifest.json of a checkpoint or a result: the size and hash of each of its files. It is written last, so one that
// has it was finished, and whoever reads it can tell whether it still is what was written.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace roundpipe::runs {

inline constexpr const char* kManifestFile = "manifest.json";

// Flushes all files of the folder to the disk, then writes its manifest. `run`: of a result, TrainingState::run.
// Throws kIo and kNoSpace.
void sealCheckpoint(const std::filesystem::path& checkpoint, const std::string& run = {});

// The run that was given then; empty: none is known.
std::string runThatSealed(const std::filesystem::path& result);

// What tells a checkpoint from all others: a hash of its manifest; empty where it has none. Throws kIo.
std::string sealOf(const std::filesystem::path& checkpoint);

enum class LookAt {
    kSizes, // at once
    kBytes, // reads all of it
};

// What is damaged in a checkpoint, in words that name the file; empty: nothing. Those of older versions have no
// manifest, and then only state.json is looked at.
std::string damageOf(const std::filesystem::path& checkpoint, LookAt what);

// The files of a checkpoint that are what was written into it, its manifest among them; nothing where it has none.
// Large ones that nobody has touched since are not read.
std::optional<std::set<std::string>> filesAsSealed(const std::filesystem::path& checkpoint);

} // namespace roundpipe::runs
