// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a model's repository are fetched: what a model folder needs, and nothing that could run.
#pragma once

#include "hub/store/listing.h"

#include <string>
#include <vector>

namespace roundpipe::hub {

// config.json, tokenizer, chat template, card and safetensors of the repository's top; never pickles, never code.
// Throws kUnsupported where there are no safetensors or no config.json, saying what there is instead.
std::vector<HubFile> modelFiles(const Listing& listing, const std::string& repository);

} // namespace roundpipe::hub
