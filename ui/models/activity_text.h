// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is doing beside its steps, in the user's words.
#pragma once

#include "session/activity.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::models {

QString activityText(const std::vector<session::Activity>& activities); // in a line; empty where it does nothing else

} // namespace roundpipe::ui::models
