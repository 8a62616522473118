// Causal attention of a block: our kernels, or LibTorch's flash attention for 16-bit types on CUDA. Internal to the
// folder.
#pragma once

#include "kernels/kernels.h"
#include "model/layer.h"

namespace roundpipe::model {

void attentionForward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                      const kernels::Matrix& q, const kernels::Matrix& k, const kernels::Matrix& v,
                      const kernels::Matrix& out, void* logSumExp);
// scratch: kernels::attentionScratchBytes() bytes.
void attentionBackward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                       const kernels::Matrix& q, const kernels::Matrix& k, const kernels::Matrix& v,
                       const kernels::Matrix& out, const void* logSumExp, const kernels::Matrix& dOut,
                       const kernels::Matrix& dq, const kernels::Matrix& dk, const kernels::Matrix& dv, void* scratch);

// attention_cuda.cpp: the flash half. logSumExp [H, T] fp32 as in our kernels.
bool flashSupports(const Compute& compute, const kernels::AttentionShape& shape, DType dtype);
void flashForward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                  const kernels::Matrix& q, const kernels::Matrix& k, const kernels::Matrix& v,
                  const kernels::Matrix& out, void* logSumExp);
void flashBackward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                   const kernels::Matrix& q, const kernels::Matrix& k, const kernels::Matrix& v,
                   const kernels::Matrix& out, const void* logSumExp, const kernels::Matrix& dOut,
                   const kernels::Matrix& dq, const kernels::Matrix& dk, const kernels::Matrix& dv);

} // namespace roundpipe::model
