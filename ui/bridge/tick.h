// SPDX-License-Identifier: GPL-3.0-or-later
// How often the controllers pull from what runs behind the window.
#pragma once

namespace roundpipe::ui::bridge {

inline constexpr int kTickMs = 33; // thirty times a second: what the eye takes for live

} // namespace roundpipe::ui::bridge
