// SPDX-License-Identifier: GPL-3.0-or-later
// How a JSON file holds its rows, found out from its first bytes. Internal to this folder.
#pragma once

#include "data/files/row_file.h"

#include <string>
#include <string_view>

namespace roundpipe::data {

struct JsonLayout {
    FileKind kind = FileKind::kJsonLines;
    std::size_t firstRow = 0;   // where in `head` the first row may start
    std::string listKey;        // of kJsonArray: the key of the object around it ("data"); empty: nothing is around it
    bool hasListBefore = false; // another one of objects, in the object around it
};

// `head`: the file from its first character that is no blank on, '{' or '['; a mebibyte or all of it.
JsonLayout layoutOf(std::string_view head);

} // namespace roundpipe::data
