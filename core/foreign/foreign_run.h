// A run's file of another program as one of ours, with a list of what it says that has no counterpart.
#pragma once

#include "session/spec/run_spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::foreign {

struct NotTaken {
    std::string key;    // as the file has it: "lora_r", "training.packing"
    std::string value;  // as JSON
    std::string reason; // completes "it …"
};

struct ForeignRun {
    std::string program; // "LLaMA-Factory", "Axolotl", "Unsloth"
    session::RunSpec spec;
    std::vector<NotTaken> notTaken; // in the order of the file; keys that say nothing (null) are left away
};

// By the file's ending: .yaml or .yml.
bool isForeignRunFile(const std::filesystem::path& path);

// What the file leaves out has that program's default. Paths are found from the file's folder on, or from one above
// it, as these programs are started in the folder of their checkout. Throws kInvalidInput for what is no YAML and for
// a file of none of these programs, kIo.
ForeignRun readForeignRun(const std::filesystem::path& path);

} // namespace roundpipe::foreign
