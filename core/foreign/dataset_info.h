// SPDX-License-Identifier: GPL-3.0-or-later
// LLaMA-Factory's dataset_info.json: what its datasets' names stand for. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "foreign/translation.h"

#include <filesystem>
#include <string>

namespace roundpipe::foreign {

struct NamedDataset {
    // As ours are written: "files", "format", "columns", where it has a limit "max_rows" and "subset". A text instead:
    // why it cannot be taken, to complete "it …".
    Tree dataset;
    Tree fieldsNotTaken; // of its entry, by their names: {"split": "test"}
};

// `isOfTexts`: it is pretrained on, which reads the prompts alone, as texts. Throws kInvalidInput where the file is no
// JSON, kIo.
NamedDataset datasetOfInfo(const std::filesystem::path& infoFile, const std::string& name, bool isOfTexts);

} // namespace roundpipe::foreign
