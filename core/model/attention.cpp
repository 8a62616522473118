#include "model/attention.h"

namespace roundpipe::model {

using kernels::AttentionShape;
using kernels::Matrix;

void attentionForward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                      const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    if (flashSupports(compute, shape, q.dtype))
        flashForward(compute, shape, starts, q, k, v, out, logSumExp);
    else
        kernels::attention(compute.target, shape, starts, q, k, v, out, logSumExp);
}

void attentionBackward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* scratch) {
    if (flashSupports(compute, shape, q.dtype))
        flashBackward(compute, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv);
    else
        kernels::attentionBackward(compute.target, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv, scratch);
}

} // namespace roundpipe::model
