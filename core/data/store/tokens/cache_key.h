// SPDX-License-Identifier: GPL-3.0-or-later
// The key that a dataset's tokens are cached under. Internal to this folder.
#pragma once

#include "data/options.h"
#include "data/store/tokens/load_meter.h"
#include "data/store/tokens/token_cache.h"
#include "text/chat_template.h"

#include <string>

namespace roundpipe::data {

// Of everything that decides a dataset's tokens before they are cut to a length. Throws kIo, and what the meter throws.
std::string cacheKeyOf(const TokenCache& cache, const DataOptions& options, const text::ChatTemplate& chatTemplate,
                       LoadMeter& meter);

} // namespace roundpipe::data
