// SPDX-License-Identifier: GPL-3.0-or-later
// Where the folder of a run is by now, for those who know it by its path.
#pragma once

#include "session/engine.h"

#include <optional>
#include <string>

namespace roundpipe::session {

// What the event says of it; nothing where it says nothing.
inline std::optional<std::string> movedFolder(const RunEvent& event) {
    for (const RunText& text : event.coded)
        if ((text.code == RunTextCode::kFolderMoved || text.code == RunTextCode::kFolderGone) &&
            !text.arguments.empty()) // of another process, who says what it likes
            return text.arguments.back();
    return std::nullopt;
}

} // namespace roundpipe::session
