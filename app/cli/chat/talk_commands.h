// SPDX-License-Identifier: GPL-3.0-or-later
// What a line that begins with '/' asks for in `roundpipe chat`.
#pragma once

#include "chat/talk.h"

#include <string>

namespace roundpipe::cli {

struct Obeyed {
    std::string said; // to be printed; lines with their line feeds
    bool quits = false;
};

// Throws kInvalidInput for a command that there is not, and what the command does; the conversation is then as it was.
Obeyed obey(const std::string& line, Talk& talk);

} // namespace roundpipe::cli
