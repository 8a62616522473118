// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/followed_run.h"

#include "runs/run_library.h"

namespace roundpipe::cli {

FollowedRun follow(const std::string& which) {
    const std::filesystem::path folder = runs::RunLibrary::ofUser().find(which).folder;
    return {folder.filename().string(), hosted::HostedEngine::following(folder)};
}

} // namespace roundpipe::cli
