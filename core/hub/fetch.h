// SPDX-License-Identifier: GPL-3.0-or-later
// A model or a split of a dataset, from the Hub or the cache.
#pragma once

#include "hub/about/hub_settings.h"

#include <functional>
#include <stop_token>

namespace roundpipe::hub {

// Told about ten times a second by the thread that called fetch().
using OnProgress = std::function<void(const session::HubProgress&)>;

// Takes minutes; what of it is in the cache already is not fetched again, and where all of a named commit is, the Hub
// is not asked. Throws kInvalidInput for what is not there or may not be read, kUnsupported for what cannot be trained
// with, kIo, kNoSpace (before anything is fetched where that can be told), kCancelled. Offline it throws kInvalidInput
// naming what the cache lacks.
session::HubFetched fetch(const HubSettings& settings, const HubName& name, const std::stop_token& stop = {},
                          const OnProgress& onProgress = {});

} // namespace roundpipe::hub
