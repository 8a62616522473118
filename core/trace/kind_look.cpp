// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/kind_look.h"

#include <array>

namespace roundpipe::trace {

// tests/ui/tst_theme computes that people with any of the common colour deficiencies tell the kinds of one lane apart,
// and that labels on them can be read.
const KindLook& lookOf(Kind kind) {
    static constexpr std::array<KindLook, kNumKinds> kLooks = {{{"forward", 0x2c6db2},
                                                                {"recompute", 0xa6ccec},
                                                                {"backward", 0xe39a1c},
                                                                {"fused", 0x9c3412},
                                                                {"evaluate", 0x3b2f4f},
                                                                {"answer", 0x8c8878},
                                                                {"weights up", 0x0f8465},
                                                                {"adapter up", 0x7fcbb3},
                                                                {"activations up", 0xb39a12},
                                                                {"activations down", 0xc4679f},
                                                                {"gradients down", 0x74295f},
                                                                {"optimizer", 0x6a7482},
                                                                {"waiting", 0x878f9c},
                                                                {"step", 0xc9cfd8},
                                                                {"memory", 0x878f9c}}};
    return kLooks[static_cast<std::size_t>(kind)];
}

} // namespace roundpipe::trace
