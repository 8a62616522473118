// SPDX-License-Identifier: GPL-3.0-or-later
// What a file of a folder is for, by its name: to train on, to validate on, to test with.
#pragma once

#include <filesystem>
#include <optional>

namespace roundpipe::data {

enum class SplitName { kTraining, kValidation, kTest };

// Of a path within a folder: a folder called "train", "validation" or "test", or else the first or the last word of the
// file's name ("train-00000-of-00002.parquet", "gsm8k_test.jsonl"). Also "training", "valid", "val", "dev", "eval",
// "evaluation" and "testing", in any case. Nothing: the name does not tell.
std::optional<SplitName> splitNameOf(const std::filesystem::path& withinFolder);

} // namespace roundpipe::data
