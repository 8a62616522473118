// SPDX-License-Identifier: GPL-3.0-or-later
// Models and datasets by words of their names.
#pragma once

#include "hub/about/hub_settings.h"

#include <stop_token>
#include <string>
#include <vector>

namespace roundpipe::hub {

// The most used ones whose names have `words` in them; of models only those with safetensors. Throws kIo, kCancelled,
// and kInvalidInput offline.
std::vector<session::HubHit> search(const HubSettings& settings, HubKind kind, const std::string& words, int numWanted,
                                    const std::stop_token& stop = {});

} // namespace roundpipe::hub
