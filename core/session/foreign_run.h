// SPDX-License-Identifier: GPL-3.0-or-later
// A run's file of another program as one of ours: what crosses the door. core/foreign reads them.
#pragma once

#include "session/spec/run_spec.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roundpipe::session {

struct NotTaken {
    std::string key;    // as the file has it: "lora_r", "training.packing"
    std::string value;  // as JSON
    std::string reason; // completes "it …"
};

struct ForeignRun {
    std::string program; // "LLaMA-Factory", "Axolotl", "Unsloth"
    RunSpec spec;
    std::vector<NotTaken> notTaken; // in the order of the file; keys that say nothing (null) are left away
};

// By the file's ending: .yaml or .yml.
inline bool isForeignRunFile(const std::filesystem::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

// Throws kInvalidInput and kIo; takes milliseconds.
using ForeignRunReader = std::function<ForeignRun(const std::filesystem::path& path)>;

} // namespace roundpipe::session
