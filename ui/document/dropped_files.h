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

// Opens the project that is among `paths`; else sets the model and adds the rows, as one step of the undo stack.
// Returns what was done, a model before rows; kNothing also where the project could not be opened (the document says
// why).
DroppedKind take(Document& document, const std::vector<std::filesystem::path>& paths);

} // namespace roundpipe::ui::document
