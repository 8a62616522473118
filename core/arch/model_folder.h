// SPDX-License-Identifier: GPL-3.0-or-later
// What a model folder holds, for whoever lists and chooses models: nothing of it is run, and weights are not read
// beyond their headers.
#pragma once

#include "arch/layers.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::arch {

// Of a folder, or of its config.json: the folder's own name, "Qwen/Qwen3-8B" of one in Hugging Face's cache
// (…/models--Qwen--Qwen3-8B/snapshots/0123…). Nothing is read.
std::string modelNameOf(const std::filesystem::path& path);

struct ModelFolder {
    std::filesystem::path path; // the folder, or the config.json alone
    std::string name;           // modelNameOf(path)
    bool isFolder = false;      // else nothing below but `model`
    std::optional<ModelSpec> model;
    bool hasWeights = false; // all that the model has, of the right shapes
    int64_t weightBytes = 0;
    bool hasTokenizer = false;
    bool hasChatTemplate = false;
    std::string licence; // "apache-2.0", as its model card has it; empty: not said
    // Why it can't be trained as it is, and what to do; empty: it can.
    std::string problem, advice;
};

// Never throws for what is wrong with the folder: that is its `problem`.
ModelFolder readModelFolder(const std::filesystem::path& path);

// Throws what a run would of the weights of a model folder, by their headers: of a folder that has none, too.
void requireWeights(const std::filesystem::path& folder, const ModelSpec& model);

// Folders with a config.json: `root` itself, and those at most two folders below it, sorted. Links that lead in circles
// do no harm.
std::vector<std::filesystem::path> findModelFolders(const std::filesystem::path& root);

// The newest snapshot of each model in Hugging Face's cache; nothing is fetched.
std::vector<std::filesystem::path> modelsInHuggingFaceCache(const std::filesystem::path& cache);

} // namespace roundpipe::arch
