// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face's Hub as scenes show it: without the network, it finds some models and rows.
#pragma once

#include "session/hub.h"

#include <memory>

namespace roundpipe::testing {

// Finds the same for all words; what is fetched never comes.
std::unique_ptr<session::Hub> makeShownHub();

} // namespace roundpipe::testing
