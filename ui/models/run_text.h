// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says, in the user's words; in English where it has no code.
#pragma once

#include "session/engine.h"
#include "session/spec_remark.h"

#include <QString>

namespace roundpipe::ui::models {

QString runText(const session::RunEvent& event); // its text
QString runText(const session::RunText& text);
// Whether it warns of what goes on until somebody mends it: no message that goes by itself.
bool isLasting(const session::RunEvent& warning);
QString betterText(const session::SpecRemark& remark); // "Set to 512": of a button that sets the better value

} // namespace roundpipe::ui::models
