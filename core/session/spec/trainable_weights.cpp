// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/trainable_weights.h"

#include "base/error.h"

namespace roundpipe::session {

void requireFormatFor(const arch::ModelConfig& model, WeightFormat weights) {
    if (weights == WeightFormat::kMxfp4 && model.experts.count == 0)
        throw invalidInput("'model.weights' is mxfp4, a format of experts, of which this model has none.",
                           "Use nf4, which takes as much memory.");
}

} // namespace roundpipe::session
