// SPDX-License-Identifier: GPL-3.0-or-later
// How strongly what is not meant just now is drawn.
#pragma once

namespace roundpipe::ui::pages {

inline constexpr double kDimmed = 0.45;  // of settings that are no longer these
inline constexpr double kReceding = 0.3; // beside a stage that is lit

} // namespace roundpipe::ui::pages
