// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/followed_run.h"

#include "runs/run_library.h"

#include <utility>

namespace roundpipe::cli {

FollowedRun follow(const std::string& which) {
    const std::filesystem::path folder = runs::RunLibrary::ofUser().find(which).folder;
    auto engine = hosted::HostedEngine::following(folder);
    const int process = engine->process();
    return {folder.filename().string(), folder, process, std::move(engine)};
}

} // namespace roundpipe::cli
