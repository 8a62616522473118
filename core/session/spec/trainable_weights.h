// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of frozen weights that only some models have, or that no run trains yet.
#pragma once

#include "arch/model_config.h"
#include "base/choices.h"

namespace roundpipe::session {

// Throws kInvalidInput where a run refuses the format, which may be planned all the same.
void requireTrainable(WeightFormat weights);

// Throws kInvalidInput where a model has nothing that could be kept in the format.
void requireFormatFor(const arch::ModelConfig& model, WeightFormat weights);

} // namespace roundpipe::session
