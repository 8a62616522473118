// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax cross-entropy of rows of logits x, the sum of its losses, and the likeliest token:
//     loss       log sum_i e^(x_i - m) - (x_label - m), with m the row's largest logit: no exponential is above 1
//     gradient   scale * (e^(x_i - m) / sum - [i is the label]), in the logits' place
// A row is read in chunks, for m, for the sum and for the gradient, and its exponentials are computed twice, so that no
// row as long as the vocabulary is held in fp32.
//
// Orders: a chunk is summed as sumOf does, the chunks from first to last in double. sumInto adds in kSumLanes lanes of
// double and then the lanes pairwise, which CUDA does as well: totals of the same losses are the same bits.
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {

namespace {

template <class T>
void zeroRow(T* row, int64_t cols) {
    for (int64_t i = 0; i < cols; ++i)
        row[i] = narrow<T>(Statistic<T>{0});
}

template <class T>
void crossEntropyRows(const Matrix& logits, const int32_t* labels, double gradientScale, Statistic<T>* losses) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < logits.rows; ++t) {
        T* row = rowOf<T>(logits, t);
        const int64_t label = labels[t];
        if (label < 0) {
            losses[t] = 0;
            if (gradientScale != 0) zeroRow(row, logits.cols);
            continue;
        }
        S buffer[kChunk];
        S largest = -std::numeric_limits<S>::infinity();
        forChunks(logits.cols, [&](int64_t first, int64_t count) {
            load(row + first, count, buffer);
            largest = largestOf(buffer, count, largest);
        });
        double sum = 0;
        const auto exponentials = [&](int64_t first, int64_t count) {
            load(row + first, count, buffer);
            for (int64_t i = 0; i < count; ++i)
                buffer[i] = exponential(buffer[i] - largest);
        };
        forChunks(logits.cols, [&](int64_t first, int64_t count) {
            exponentials(first, count);
            sum += sumOf<S>(count, [&](int64_t i) { return buffer[i]; });
        });
        const bool known = label < logits.cols;
        losses[t] = known ? static_cast<S>(std::log(sum)) - (static_cast<S>(widen(row[label])) - largest)
                          : std::numeric_limits<S>::quiet_NaN();
        if (gradientScale == 0) continue;
        const S inverse = static_cast<S>(1 / sum), scale = static_cast<S>(gradientScale);
        forChunks(logits.cols, [&](int64_t first, int64_t count) {
            exponentials(first, count);
            for (int64_t i = 0; i < count; ++i)
                buffer[i] *= inverse;
            if (label >= first && label < first + count) buffer[label - first] -= S{1};
            for (int64_t i = 0; i < count; ++i)
                buffer[i] *= scale;
            store(buffer, count, row + first);
        });
    }
}

template <class S>
void sumLanes(const S* values, int64_t count, double* total) {
    double lanes[kSumLanes] = {};
    for (int64_t first = 0; first < count; first += kSumLanes) {
        const int64_t width = count - first < kSumLanes ? count - first : kSumLanes;
        for (int64_t lane = 0; lane < width; ++lane)
            lanes[lane] += static_cast<double>(values[first + lane]);
    }
    for (int width = kSumLanes / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; ++lane)
            lanes[lane] += lanes[lane + width];
    total[0] += lanes[0];
}

} // namespace

void crossEntropy(const Target&, const Matrix& logits, const int32_t* labels, double gradientScale, void* losses) {
    visitFloating(logits.dtype, [&]<class T>(T) {
        crossEntropyRows<T>(logits, labels, gradientScale, static_cast<Statistic<T>*>(losses));
    });
}

void sumInto(const Target&, const void* values, DType dtype, int64_t count, double* total) {
    if (dtype == DType::kF64)
        sumLanes(static_cast<const double*>(values), count, total);
    else
        sumLanes(static_cast<const float*>(values), count, total);
}

void nextToken(const Target&, const Matrix& logits, int32_t* id, int32_t* position) {
    visitFloating(logits.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const T* row = rowOf<T>(logits, 0);
        S largest = -std::numeric_limits<S>::infinity();
        int32_t found = 0;
        for (int64_t i = 0; i < logits.cols; ++i) {
            const S value = widen(row[i]);
            if (!(value > largest)) continue;
            largest = value;
            found = static_cast<int32_t>(i);
        }
        *id = found;
    });
    ++*position;
}

} // namespace roundpipe::kernels::RP_LEVEL
