// SPDX-License-Identifier: GPL-3.0-or-later
// Expands files and folders as people name them into the list of data files, in a stated order.
#pragma once

#include "session/row_remark.h"

#include <filesystem>
#include <vector>

namespace roundpipe::data {

struct SkippedFile {
    std::filesystem::path path;
    session::Remark reason; // "is hidden", "has an ending that we do not know", …
};

struct FileList {
    std::vector<std::filesystem::path> files;      // to train on
    std::vector<std::filesystem::path> validation; // of folders that have some for it, by their names
    std::vector<SkippedFile> skipped;
};

// Files stay where they are named. A folder becomes the files in it and in the folders below it, sorted by their path
// (as bytes); of it are skipped, and listed: hidden files, unknown endings, what Hugging Face's datasets writes beside
// the data, and texts (.txt, .md) where the folder has rows as well: those are about the data far more often than data.
// Where names tell what files are for (splitNameOf), those to validate on go apart, and those to test with are skipped.
// Throws kInvalidInput for a folder without a data file, or with none to train on, and a file that is named twice, kIo
// for one that is not there.
FileList listFiles(const std::vector<std::filesystem::path>& paths);

} // namespace roundpipe::data
