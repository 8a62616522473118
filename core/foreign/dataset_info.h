// SPDX-License-Identifier: GPL-3.0-or-later
// LLaMA-Factory's dataset_info.json: what its datasets' names stand for. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "foreign/translation.h"

#include <filesystem>
#include <string>

namespace roundpipe::foreign {

// The dataset of that name as one of ours is written ("files", "format", "columns", where it has a limit "max_rows" and
// "subset"); a text instead of an object: why
// it cannot be taken, to complete "it …". `isOfTexts`: it is pretrained on, which reads the prompts alone, as texts.
// Throws kInvalidInput where the file is no JSON, kIo.
Tree datasetOfInfo(const std::filesystem::path& infoFile, const std::string& name, bool isOfTexts);

} // namespace roundpipe::foreign
