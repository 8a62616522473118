// SPDX-License-Identifier: GPL-3.0-or-later
// What one can talk with: results and checkpoints of runs, and models alone.
#pragma once

#include "runs/stored_run.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace roundpipe::ui::pages {

struct ChatSource {
    QString name;                  // "Polly the parrot · result, step 195"
    std::filesystem::path adapter; // its folder; empty: the model answers alone
    std::filesystem::path model;   // empty: not known
};

// Of each run its result, then its checkpoints, the newest run of the project first. Reads small files.
std::vector<ChatSource> sourcesOf(const std::vector<runs::StoredRun>& latestFirst,
                                  const std::filesystem::path& ofProject);
// Of an adapter's folder that somebody chose: the model that it names, where that is a folder, else `otherwise`.
ChatSource sourceOf(const std::filesystem::path& adapter, const std::filesystem::path& otherwise);

} // namespace roundpipe::ui::pages
