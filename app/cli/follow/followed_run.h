// SPDX-License-Identifier: GPL-3.0-or-later
// A run that another process trains.
#pragma once

#include "hosted/hosted_engine.h"

#include <filesystem>
#include <memory>
#include <string>

namespace roundpipe::cli {

inline constexpr const char* kWhichRun = "The run: its folder's name, as `runs list` shows it, its name, or a path.";

struct FollowedRun {
    std::string name; // of its folder
    std::filesystem::path folder;
    int process = 0; // that trains it
    std::unique_ptr<session::Engine> engine;
};

// Throws kInvalidInput where it is not under way or can't be followed.
FollowedRun follow(const std::string& which);

} // namespace roundpipe::cli
