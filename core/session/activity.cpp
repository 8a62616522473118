// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/activity.h"

namespace roundpipe::session {

std::string textOf(const std::vector<Activity>& activities) {
    std::string text;
    for (const Activity& activity : activities)
        text += (text.empty() ? "" : " · ") + activity.text();
    return text;
}

} // namespace roundpipe::session
