// SPDX-License-Identifier: GPL-3.0-or-later
// What of a store an optimizer updates.
#pragma once

#include "optim/adamw.h"
#include "transfer/adapter_blocks.h"

#include <vector>

namespace roundpipe::pipeline {

std::vector<optim::LayerParameters> parametersOf(const transfer::AdapterBlocks& trained);

} // namespace roundpipe::pipeline
