// SPDX-License-Identifier: GPL-3.0-or-later
// How the pictures of a plan use a window that is higher than they need.
#pragma once

namespace roundpipe::ui::pages {

// Of a row that is `usual` pixels high, by `room` from 0, where there is none to spare, to 1.
inline int roomyRow(int usual, double room) {
    return static_cast<int>(usual * (1 + 0.7 * room));
}

} // namespace roundpipe::ui::pages
