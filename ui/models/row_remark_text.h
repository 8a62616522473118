// SPDX-License-Identifier: GPL-3.0-or-later
// What core says of rows, in the user's words.
#pragma once

#include "session/row_remark.h"

#include <QString>

namespace roundpipe::ui::models {

QString dropReasonText(session::DropReason reason); // "too long"
QString maskSourceText(session::MaskSource source); // "generation tags"
QString remarkText(const session::Remark& remark);  // empty where nothing is said

} // namespace roundpipe::ui::models
