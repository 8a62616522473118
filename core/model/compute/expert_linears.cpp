// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/expert_linears.h"

#include "base/error.h"

#include <algorithm>
#include <vector>

namespace roundpipe::model {
namespace {

using geometry::AdapterRows;
using geometry::bytesOf;
using geometry::LinearShape;
using geometry::WeightRows;
using kernels::ExpertRun;

// body(the expert's linears, a call of its own, part), with part(matrix) its rows of one. Reads `starts`.
template <class Body>
void forExperts(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, Body&& body) {
    for (std::size_t e = 0; e < linears.experts.size(); ++e) {
        const int64_t first = linears.starts[e], count = linears.starts[e + 1] - first;
        const auto part = [&](const Matrix& all) { return rowsOf(all, first, count); };
        LinearCall own = call;
        if (call.rowKeys != nullptr) own.rowKeys = call.rowKeys + first;
        if (delta.data != nullptr) own.delta = static_cast<std::byte*>(part(delta).data);
        body(linears.experts[e], own, part, count);
    }
}

// A matrix of an expert: where it begins in its block, and which columns of the group's matrices it belongs to.
struct Part {
    int64_t offset = 0; // elements
    int64_t rows = 0, cols = 0, pitch = 0;
    int64_t column = 0;        // of y, dy
    int64_t adapterColumn = 0; // of xA, delta

    bool isAlike(const Part& other) const {
        return rows == other.rows && cols == other.cols && pitch == other.pitch && column == other.column &&
               adapterColumn == other.adapterColumn;
    }
};

// body(run, part of its first expert) for runs of neighbours with alike parts at equal distances in `block`.
// partsOf(group, parts) appends those of an expert; a run is of parts with the same number.
template <class PartsOf, class Body>
void forRuns(const ExpertLinears& linears, const void* block, DType dtype, PartsOf&& partsOf, Body&& body) {
    std::vector<std::vector<Part>> parts;
    std::size_t most = 0;
    for (const LinearGroup& group : linears.experts) {
        partsOf(group, parts.emplace_back());
        most = std::max(most, parts.back().size());
    }
    for (std::size_t p = 0; p < most; ++p)
        for (std::size_t e = 0; e < parts.size();) {
            if (p >= parts[e].size()) {
                ++e;
                continue;
            }
            const Part& first = parts[e][p];
            std::size_t end = e + 1;
            int64_t stride = 0;
            for (; end < parts.size() && p < parts[end].size() && parts[end][p].isAlike(first); ++end) {
                const int64_t distance = parts[end][p].offset - parts[end - 1][p].offset;
                if (end > e + 1 && distance != stride) break;
                stride = distance;
            }
            Matrix matrix = dense(static_cast<const std::byte*>(block) + bytesOf(dtype, first.offset), dtype,
                                  first.rows, first.cols);
            matrix.pitch = first.pitch;
            body(ExpertRun{matrix, stride, static_cast<int64_t>(e), static_cast<int64_t>(end - e)}, first);
            e = end;
        }
}

Part partOf(const WeightRows& rows) {
    const geometry::TensorPlace& place = rows.weight;
    RP_CHECK(!rows.bias);
    return {place.offsetBytes / static_cast<int64_t>(sizeOf(place.dtype)),
            place.spec.shape[0],
            place.spec.shape[1],
            place.pitchElements,
            rows.column,
            0};
}

void weightsOf(const LinearGroup& group, std::vector<Part>& parts) {
    for (const WeightRows& rows : group.weights)
        parts.push_back(partOf(rows));
}

void trainedWeightsOf(const LinearGroup& group, std::vector<Part>& parts) {
    for (const WeightRows& rows : group.weights) {
        if (!rows.isTrained) continue;
        parts.push_back(partOf(rows));
        parts.back().offset = rows.weight.gradientOffset;
    }
}

void allA(const LinearGroup& group, std::vector<Part>& parts) {
    const int64_t in = group.inFeatures();
    for (const AdapterRows& rows : group.adapters)
        parts.push_back({rows.offsetA, rows.rows, in, in, 0, rows.column});
}

void allB(const LinearGroup& group, std::vector<Part>& parts) {
    for (const LinearShape& linear : group.linears)
        if (linear.adapter)
            parts.push_back({linear.adapter->offsetB, linear.outFeatures(), linear.rank, linear.rank, linear.column,
                             linear.adapterColumn});
}

double scaleOf(const ExpertLinears& linears) { // of all adapters of a layer
    for (const LinearGroup& group : linears.experts)
        for (const LinearShape& linear : group.linears)
            if (linear.adapter) return linear.scale;
    return 0;
}

// The same as linear.cpp's, grouped.
void groupedAdapterProduct(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA) {
    if (call.weights.adapter == nullptr) return;
    RP_CHECK(call.rowKeys == nullptr); // requireTrainableOn() saw to it
    forRuns(linears, call.weights.adapter, x.dtype, allA, [&](const ExpertRun& run, const Part& a) {
        kernels::expertProduct(call.compute.target, x, linears.starts, run, true, 1, false,
                               columnsOf(xA, a.adapterColumn, a.rows));
    });
}

void groupedForward(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA,
                    const Matrix& y) {
    forRuns(linears, call.weights.base, y.dtype, weightsOf, [&](const ExpertRun& run, const Part& weight) {
        kernels::expertProduct(call.compute.target, x, linears.starts, run, true, 1, false,
                               columnsOf(y, weight.column, weight.rows));
    });
    if (call.weights.adapter == nullptr) return;
    groupedAdapterProduct(call, linears, x, xA);
    const double scale = scaleOf(linears);
    forRuns(linears, call.weights.adapter, y.dtype, allB, [&](const ExpertRun& run, const Part& b) {
        kernels::expertProduct(call.compute.target, columnsOf(xA, b.adapterColumn, b.cols), linears.starts, run, true,
                               scale, true, columnsOf(y, b.column, b.rows));
    });
}

void groupedInputGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& dy,
                          const Matrix& dx) {
    forRuns(linears, call.weights.base, dy.dtype, weightsOf, [&](const ExpertRun& run, const Part& weight) {
        kernels::expertProduct(call.compute.target, columnsOf(dy, weight.column, weight.rows), linears.starts, run,
                               false, 1, weight.column > 0, dx);
    });
    if (call.weights.adapter == nullptr) return;
    const double scale = scaleOf(linears);
    forRuns(linears, call.weights.adapter, dy.dtype, allB, [&](const ExpertRun& run, const Part& b) {
        kernels::expertProduct(call.compute.target, columnsOf(dy, b.column, b.rows), linears.starts, run, false, scale,
                               false, columnsOf(delta, b.adapterColumn, b.cols));
    });
    forRuns(linears, call.weights.adapter, dy.dtype, allA, [&](const ExpertRun& run, const Part& a) {
        kernels::expertProduct(call.compute.target, columnsOf(delta, a.adapterColumn, a.rows), linears.starts, run,
                               false, 1, true, dx);
    });
}

void groupedTrainedGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& x,
                            const Matrix& xA, const Matrix& dy) {
    std::byte* gradients = call.gradients.data;
    if (gradients == nullptr) return;
    const DType type = statisticsType(dy.dtype);
    const bool adds = call.gradients.accumulate;
    const double scale = scaleOf(linears);
    forRuns(linears, gradients, type, trainedWeightsOf, [&](const ExpertRun& run, const Part& weight) {
        kernels::expertGradient(call.compute.target, columnsOf(dy, weight.column, weight.rows), x, linears.starts, 1,
                                adds, run);
    });
    forRuns(linears, gradients, type, allB, [&](const ExpertRun& run, const Part& b) {
        kernels::expertGradient(call.compute.target, columnsOf(dy, b.column, b.rows),
                                columnsOf(xA, b.adapterColumn, b.cols), linears.starts, scale, adds, run);
    });
    forRuns(linears, gradients, type, allA, [&](const ExpertRun& run, const Part& a) {
        kernels::expertGradient(call.compute.target, columnsOf(delta, a.adapterColumn, a.rows), x, linears.starts, 1,
                                adds, run);
    });
}

} // namespace

void linearForward(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA,
                   const Matrix& y) {
    if (linears.grouped) return groupedForward(call, linears, x, xA, y);
    forExperts(call, linears, {}, [&](const auto& group, const LinearCall& own, const auto& part, int64_t count) {
        if (count > 0) linearForward(own, group, part(x), part(xA), part(y));
    });
}

void adapterProduct(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA) {
    if (linears.grouped) return groupedAdapterProduct(call, linears, x, xA);
    forExperts(call, linears, {}, [&](const auto& group, const LinearCall& own, const auto& part, int64_t count) {
        if (count > 0) adapterProduct(own, group, part(x), part(xA));
    });
}

void inputGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& dy,
                   const Matrix& dx) {
    if (linears.grouped) return groupedInputGradient(call, linears, delta, dy, dx);
    forExperts(call, linears, delta, [&](const auto& group, const LinearCall& own, const auto& part, int64_t count) {
        const Matrix dRows = part(dx);
        if (count > 0) inputGradient(own, group, part(dy), &dRows);
    });
}

void trainedGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& x,
                     const Matrix& xA, const Matrix& dy) {
    if (linears.grouped) return groupedTrainedGradient(call, linears, delta, x, xA, dy);
    forExperts(call, linears, delta, [&](const auto& group, const LinearCall& own, const auto& part, int64_t) {
        trainedGradient(own, group, part(x), part(xA), part(dy));
    });
}

} // namespace roundpipe::model
