// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of slice is called and which colour it has, wherever timelines are drawn or listed.
#pragma once

#include "trace/record.h"

namespace roundpipe::trace {

struct KindLook {
    const char* name; // "weights up": in pictures as it stands here, in the window in the user's language
    uint32_t light;   // 0xRRGGBB, on a light ground; on a dark one the window has another
};
const KindLook& lookOf(Kind kind);

} // namespace roundpipe::trace
