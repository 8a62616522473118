// What a run warns of, in the user's words; in English where it has no code.
#pragma once

#include "session/engine.h"

#include <QString>

namespace roundpipe::ui::models {

QString warningText(const session::RunEvent& warning);

} // namespace roundpipe::ui::models
