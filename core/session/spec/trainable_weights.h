// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of frozen weights that only some models have.
#pragma once

#include "arch/model_config.h"
#include "base/choices.h"

namespace roundpipe::session {

// Throws kInvalidInput where a model has nothing that could be kept in the format.
void requireFormatFor(const arch::ModelConfig& model, WeightFormat weights);

} // namespace roundpipe::session
