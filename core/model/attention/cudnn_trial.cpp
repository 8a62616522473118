// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/cudnn_trial.h"

#include "base/log.h"
#include "kernels/random.h"
#include "model/attention/attention_refusals.h"
#include "model/attention/cudnn_attention.h"
#include "model/compute/products.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace roundpipe::model {
namespace {

using kernels::AttentionShape;

constexpr double kTolerance = 2e-2; // both round to 16 bits, in other places
const std::vector<int32_t> kStarts{0, 70, 71, 300};

AttentionShape smallOne(const AttentionShape& shape) {
    AttentionShape small = shape;
    small.numSequences = static_cast<int64_t>(kStarts.size()) - 1;
    small.maxLength = kStarts[3] - kStarts[2];
    small.numKvHeads = 2;
    small.numHeads = shape.numHeads == shape.numKvHeads ? 2 : 4;
    if (shape.window > 0) small.window = 50;
    return small;
}

// The arrays of one call, rows of [T, columns], with values as a run has them; q, k and v side by side, as a layer's
// product gives them.
class Trial {
public:
    Trial(const Compute& compute, const AttentionShape& shape)
        : m_compute(compute)
        , m_shape(shape)
        , m_device(at::kCUDA, static_cast<at::DeviceIndex>(compute.cudaIndex))
        , m_starts(at::tensor(kStarts, at::kInt).to(m_device))
        , m_qkv(values(shape.numHeads + 2 * shape.numKvHeads, 1))
        , m_q(headsOf(m_qkv, 0, shape.numHeads))
        , m_k(headsOf(m_qkv, shape.numHeads, shape.numKvHeads))
        , m_v(headsOf(m_qkv, shape.numHeads + shape.numKvHeads, shape.numKvHeads))
        , m_dOut(values(shape.numHeads, 4)) {}

    // Out, dq, dk and dv in fp32.
    std::array<at::Tensor, 4> byCudnn() const {
        return run([&](const int32_t* starts, const Matrix& out, void* sums, const Matrix& dq, const Matrix& dk,
                       const Matrix& dv) {
            cudnnForward(m_compute, m_shape, starts, m_q, m_k, m_v, out, sums);
            cudnnBackward(m_compute, m_shape, starts, m_q, m_k, m_v, out, sums, m_dOut.rows, dq, dk, dv);
        });
    }
    std::array<at::Tensor, 4> byOwnKernels() const {
        return run([&](const int32_t* starts, const Matrix& out, void* sums, const Matrix& dq, const Matrix& dk,
                       const Matrix& dv) {
            const at::Tensor delta = at::empty({m_shape.numHeads, kStarts.back()}, m_device);
            kernels::attention(m_compute.target, m_shape, starts, m_q, m_k, m_v, out, sums);
            kernels::attentionBackward(m_compute.target, m_shape, starts, m_q, m_k, m_v, out, sums, m_dOut.rows, dq, dk,
                                       dv, delta.data_ptr());
        });
    }

private:
    struct Rows {
        at::Tensor tensor;
        Matrix rows;
    };

    Rows rowsOf(const at::Tensor& tensor) const {
        return {tensor, dense(tensor.data_ptr(), m_compute.dtype, tensor.size(0), tensor.size(1))};
    }
    Matrix headsOf(const Rows& rows, int64_t first, int64_t count) const {
        return columnsOf(rows.rows, first * m_shape.headDim, count * m_shape.headDim);
    }
    at::ScalarType type() const { return m_compute.dtype == DType::kF16 ? at::kHalf : at::kBFloat16; }
    // Independent draws: of rows that are alike, gradients are differences of nearly equal numbers, and mostly
    // rounding.
    Rows values(int64_t numHeads, uint64_t key) const {
        const at::Tensor drawn = at::empty({kStarts.back(), numHeads * m_shape.headDim}, at::kFloat);
        for (int64_t i = 0; i < drawn.numel(); ++i)
            drawn.data_ptr<float>()[i] =
                3 * kernels::uniform(kernels::philox(key, static_cast<uint64_t>(i), 0).values[0]) - 1.5f;
        return rowsOf(drawn.to(m_device, type()));
    }
    Rows results(int64_t numHeads) const {
        return rowsOf(at::full({kStarts.back(), numHeads * m_shape.headDim}, NAN, at::TensorOptions().dtype(type()))
                          .to(m_device));
    }

    template <class Call>
    std::array<at::Tensor, 4> run(const Call& call) const {
        const Rows out = results(m_shape.numHeads), dq = results(m_shape.numHeads), dk = results(m_shape.numKvHeads),
                   dv = results(m_shape.numKvHeads);
        const at::Tensor sums = at::empty({kStarts.back(), m_shape.numHeads}, m_device);
        call(static_cast<const int32_t*>(m_starts.data_ptr()), out.rows, sums.data_ptr(), dq.rows, dk.rows, dv.rows);
        return {out.tensor.to(at::kFloat), dq.tensor.to(at::kFloat), dk.tensor.to(at::kFloat),
                dv.tensor.to(at::kFloat)};
    }

    const Compute& m_compute;
    AttentionShape m_shape;
    at::Device m_device;
    at::Tensor m_starts;
    Rows m_qkv;
    Matrix m_q, m_k, m_v; // its columns
    Rows m_dOut;
};

double normOf(const at::Tensor& tensor) {
    return at::linalg_vector_norm(tensor).item().toDouble();
}

// Of the four results the largest ‖cudnn − ours‖ / ‖ours‖; NaN counts as far off.
double disagreement(const Compute& compute, const AttentionShape& shape) {
    const Trial trial(compute, smallOne(shape));
    const auto found = trial.byCudnn(), expected = trial.byOwnKernels();
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double error = normOf(found[i] - expected[i]) / normOf(expected[i]);
        largest = std::isfinite(error) ? std::max(largest, error) : 1e9;
    }
    return largest;
}

// Why cuDNN's attention is not used; empty where it is.
std::string refusalOf(const Compute& compute, const AttentionShape& shape) {
    try {
        const double error = disagreement(compute, shape);
        if (error <= kTolerance) return "";
        return fmt::format("cuDNN's attention is {:.2g} off our own kernels for heads of {} on GPU {}, so LibTorch's "
                           "is used.",
                           error, shape.headDim, compute.cudaIndex);
    } catch (const std::exception& error) { // LibTorch's, too
        return fmt::format("{} LibTorch's attention is used for heads of {} on GPU {}.", error.what(), shape.headDim,
                           compute.cudaIndex);
    }
}

class Trials {
public:
    bool passes(const Compute& compute, const AttentionShape& shape) {
        const std::scoped_lock lock(m_mutex);
        const Kind kind{compute.cudaIndex, compute.dtype,        shape.headDim, shape.numHeads == shape.numKvHeads,
                        shape.window > 0,  compute.deterministic};
        auto found = m_refusals.find(kind);
        if (found == m_refusals.end()) {
            found = m_refusals.emplace(kind, refusalOf(compute, shape)).first;
            if (!found->second.empty()) log::warning(found->second);
        }
        return found->second.empty();
    }
    std::vector<std::string> refusals() {
        const std::scoped_lock lock(m_mutex);
        std::vector<std::string> all;
        for (const auto& [kind, refusal] : m_refusals)
            if (!refusal.empty()) all.push_back(refusal);
        return all;
    }

private:
    using Kind = std::tuple<int, DType, int64_t, bool, bool, bool>;

    std::mutex m_mutex;
    std::map<Kind, std::string> m_refusals; // empty where it passed
};

Trials& trials() {
    static Trials all;
    return all;
}

} // namespace

bool cudnnAgrees(const Compute& compute, const AttentionShape& shape) {
    return trials().passes(compute, shape);
}

std::vector<std::string> attentionRefusals() {
    return trials().refusals();
}

} // namespace roundpipe::model
