// SPDX-License-Identifier: GPL-3.0-or-later
// The passes as each instruction set has them: RP_LEVEL is `baseline` (plain x86-64), `v3` (AVX2) or `v4` (AVX-512),
// set by CMakeLists.txt.
#pragma once

#include "optim/passes.h"

namespace roundpipe::optim {

namespace baseline {
extern const Passes kPasses;
}
namespace v3 {
extern const Passes kPasses;
}
namespace v4 {
extern const Passes kPasses;
}

} // namespace roundpipe::optim
