// SPDX-License-Identifier: GPL-3.0-or-later
// What files and folders are that someone drops on the window: a project, a model or rows to train on.
#pragma once

#include "ui/document/document.h"

namespace roundpipe::ui::document {

enum class DroppedKind {
    kNothing, // does not exist
    kProject, // a run file, or a folder with run.json
    kModel,   // a folder with config.json, or a file of such a folder
    kRows     // everything else: who reads rows says what is wrong with a file
};
DroppedKind kindOf(const std::filesystem::path& path);

// The folder of the model that is among them; empty: none is.
std::filesystem::path modelFolderAmong(const std::vector<std::filesystem::path>& paths);

// Opens the project that is among `paths`; else adds the rows, as one step of the undo stack. Returns what was found, a
// model before rows: that one is for whoever can tell whether it can be trained. kNothing also where the project could
// not be opened (the document says why).
DroppedKind take(Document& document, const std::vector<std::filesystem::path>& paths);

} // namespace roundpipe::ui::document
