// SPDX-License-Identifier: GPL-3.0-or-later
// session::Chat on this machine.
#pragma once

#include "session/activity.h"
#include "session/chat.h"

#include <functional>
#include <memory>

namespace roundpipe::engine {

// Loads the model, which blocks. `onActivity` says what is being done; false cancels (kCancelled). Throws what reading
// the parts does, each error naming its file, and kOutOfMemory.
std::unique_ptr<session::Chat> openChat(const session::ChatSetup& setup,
                                        const std::function<bool(const session::Activity&)>& onActivity = {});

} // namespace roundpipe::engine
