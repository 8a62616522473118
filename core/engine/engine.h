// SPDX-License-Identifier: GPL-3.0-or-later
// The training engine behind the session door: LibTorch, GPUs and CPU workers.
#pragma once

#include "session/engine.h"

namespace roundpipe::engine {

std::unique_ptr<session::Engine> makeEngine();

} // namespace roundpipe::engine
