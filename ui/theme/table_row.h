// SPDX-License-Identifier: GPL-3.0-or-later
// How high a row of a table is: one measure, so that tables beside each other line up.
#pragma once

namespace roundpipe::ui::theme {

inline constexpr int kTableRow = 28; // pixels; trees have it by the style sheet

} // namespace roundpipe::ui::theme
