// SPDX-License-Identifier: GPL-3.0-or-later
// The training engine behind the session door: LibTorch, GPUs and CPU workers.
#pragma once

#include "device/device.h"
#include "session/engine.h"

namespace roundpipe::engine {

// `onSpan`: as DeviceContext's, for tests.
std::unique_ptr<session::Engine> makeEngine(device::OnSpan onSpan = {});

} // namespace roundpipe::engine
