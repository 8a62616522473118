// SPDX-License-Identifier: GPL-3.0-or-later
// Linears of a single row:
//     y = n(x) Wᵀ + bias + scale * xA Bᵀ      rowProduct: out = y + residual      rowGlu: out = a(y gate) * y up
// with n(x) = x or RMSNorm of it, rounded as norm.cpp does. y is rounded to T where glu reads it, and a as
// elementwise.cpp says; everything else is rounded once, on storing.
//
// Orders: a chunk is summed as sumOf does, the chunks from first to last in double; then bias, adapter, residual. Some
// rows of W are taken together, as x is widened for each of them.
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {

namespace {

constexpr int kRowsAtOnce = 4;

// x as the products see it, chunk by chunk.
template <class T>
class InputRow {
    using S = Statistic<T>;

public:
    explicit InputRow(const RowInput& input)
        : m_x(static_cast<const T*>(input.x.data))
        , m_weight(static_cast<const T*>(input.normWeight.data))
        , m_addsOne(input.normWeight.addsOne) {
        if (m_weight == nullptr) return;
        double squares = 0;
        S buffer[kChunk];
        forChunks(input.x.cols, [&](int64_t first, int64_t count) {
            kernels::RP_LEVEL::load(m_x + first, count, buffer);
            squares += sumOf<S>(count, [&](int64_t i) { return buffer[i] * buffer[i]; });
        });
        const S mean = static_cast<S>(squares / static_cast<double>(input.x.cols));
        m_rstd = S{1} / std::sqrt(mean + static_cast<S>(input.eps));
    }

    RP_INLINE void load(int64_t first, int64_t count, S* to) const {
        kernels::RP_LEVEL::load(m_x + first, count, to);
        if (m_weight == nullptr) return;
        S weights[kChunk];
        kernels::RP_LEVEL::load(m_weight + first, count, weights);
        for (int64_t i = 0; i < count; ++i)
            to[i] = rounded<T>(weighed<T>(to[i] * m_rstd, weights[i], m_addsOne));
    }

private:
    const T* m_x;
    const T* m_weight; // null: x as it is
    bool m_addsOne;
    S m_rstd = 1;
};

// y of rows [first, first + kRowsAtOnce) of the weight; rows beyond the last repeat it.
template <class T>
void rowsFrom(const InputRow<T>& input, const RowLinear& linear, int64_t first, double (&y)[kRowsAtOnce]) {
    using S = Statistic<T>;
    const auto rowAt = [&](int i) { return first + i < linear.weight.rows ? first + i : linear.weight.rows - 1; };
    for (double& value : y)
        value = 0;
    forChunks(linear.weight.cols, [&](int64_t begin, int64_t count) {
        S x[kChunk];
        input.load(begin, count, x);
        for (int i = 0; i < kRowsAtOnce; ++i) {
            const T* weights = rowOf<T>(linear.weight, rowAt(i)) + begin;
            y[i] += sumOf<S>(count, [&](int64_t c) { return x[c] * static_cast<S>(widen(weights[c])); });
        }
    });
    for (int i = 0; i < kRowsAtOnce; ++i) {
        if (linear.bias) y[i] += static_cast<double>(widen(static_cast<const T*>(linear.bias)[rowAt(i)]));
        if (linear.b.rows == 0) continue;
        const T* b = rowOf<T>(linear.b, rowAt(i));
        const T* product = static_cast<const T*>(linear.product);
        y[i] += linear.scale * sumOf<S>(linear.b.cols, [&](int64_t c) {
                    return static_cast<S>(widen(b[c])) * static_cast<S>(widen(product[c]));
                });
    }
}

// body(i, y of the i-th row) for each row of the weight.
template <class T, class Body>
void forRows(const InputRow<T>& input, const RowLinear& linear, Body&& body) {
    double y[kRowsAtOnce];
    for (int64_t first = 0; first < linear.weight.rows; first += kRowsAtOnce) {
        rowsFrom<T>(input, linear, first, y);
        for (int64_t i = first; i < linear.weight.rows && i < first + kRowsAtOnce; ++i)
            body(i, y[i - first]);
    }
}

template <class T, Activation kActivation>
void gluOfRows(const InputRow<T>& input, const RowLinear& gate, const RowLinear& up, T* to) {
    using S = Statistic<T>;
    const int64_t numRows = gate.weight.rows;
    double gates[kRowsAtOnce], ups[kRowsAtOnce];
    for (int64_t first = 0; first < numRows; first += kRowsAtOnce) {
        rowsFrom<T>(input, gate, first, gates);
        rowsFrom<T>(input, up, first, ups);
        for (int64_t i = first; i < numRows && i < first + kRowsAtOnce; ++i) {
            const S g = rounded<T>(static_cast<S>(gates[i - first]));
            const S u = rounded<T>(static_cast<S>(ups[i - first]));
            to[i] = narrow<T>(u * rounded<T>(g / (S{1} + exponential(-sigmoidArgument<kActivation>(g)))));
        }
    }
}

} // namespace

void rowProduct(const Target&, const RowInput& input, std::span<const RowLinear> linears, const Matrix* residual,
                const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const InputRow<T> row(input);
        T* to = rowOf<T>(out, 0);
        const T* added = residual ? rowOf<T>(*residual, 0) : nullptr;
        int64_t column = 0;
        for (const RowLinear& linear : linears) {
            forRows<T>(row, linear, [&](int64_t i, double y) {
                if (added) y += static_cast<double>(widen(added[column + i]));
                to[column + i] = narrow<T>(static_cast<S>(y));
            });
            column += linear.weight.rows;
        }
    });
}

void rowGlu(const Target&, Activation activation, const RowInput& input, const RowLinear& gate, const RowLinear& up,
            const Matrix& out) {
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(out.dtype, [&]<class T>(T) { gluOfRows<T, a>(InputRow<T>(input), gate, up, rowOf<T>(out, 0)); });
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
