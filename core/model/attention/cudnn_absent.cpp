// SPDX-License-Identifier: GPL-3.0-or-later
// In a build without CUDA no device asks for cuDNN.
#include "base/error.h"
#include "model/attention/attention_refusals.h"
#include "model/attention/cudnn_attention.h"
#include "model/attention/cudnn_trial.h"

namespace roundpipe::model {

bool cudnnAgrees(const Compute&, const kernels::AttentionShape&) {
    return false;
}

std::vector<std::string> attentionRefusals() {
    return {};
}

void cudnnForward(const Compute&, const kernels::AttentionShape&, const int32_t*, const Matrix&, const Matrix&,
                  const Matrix&, const Matrix&, void*) {
    RP_CHECK(!"this build has no CUDA");
}

void cudnnBackward(const Compute&, const kernels::AttentionShape&, const int32_t*, const Matrix&, const Matrix&,
                   const Matrix&, const Matrix&, const void*, const Matrix&, const Matrix&, const Matrix&,
                   const Matrix&) {
    RP_CHECK(!"this build has no CUDA");
}

} // namespace roundpipe::model
