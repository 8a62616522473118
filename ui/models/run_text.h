// What a run says, in the user's words; in English where it has no code.
#pragma once

#include "session/engine.h"

#include <QString>

namespace roundpipe::ui::models {

QString runText(const session::RunEvent& event); // its text

} // namespace roundpipe::ui::models
