// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/linear.h"

#include "base/error.h"
#include "base/hash.h"

#include <algorithm>
#include <utility>

namespace roundpipe::geometry {
namespace {

// Whether `next` lies right below `tensor`, and its gradient below the gradient.
bool goesOn(const TensorPlace& tensor, const TensorPlace& next) {
    const int64_t count = tensor.rows() * tensor.pitchElements;
    return tensor.dtype == next.dtype && tensor.pitchElements == next.pitchElements &&
           tensor.offsetBytes + bytesOf(tensor.dtype, count) == next.offsetBytes &&
           tensor.isTrained() == next.isTrained() &&
           (!tensor.isTrained() || tensor.gradientOffset + count == next.gradientOffset);
}

// A bias's gradient is a sum of columns, not a part of the product.
bool goesOn(const std::optional<TensorPlace>& bias, const std::optional<TensorPlace>& next) {
    if (!bias || !next) return bias.has_value() == next.has_value();
    return bias->offsetBytes + bytesOf(bias->dtype, bias->spec.shape[0]) == next->offsetBytes;
}

void append(std::vector<WeightRows>& rows, const LinearShape& linear) {
    if (!rows.empty() && goesOn(rows.back().weight, linear.weight) && goesOn(rows.back().bias, linear.bias)) {
        WeightRows& last = rows.back();
        last.weight.spec.shape[0] += linear.outFeatures();
        if (last.bias) last.bias->spec.shape[0] += linear.outFeatures();
        return;
    }
    rows.push_back({linear.weight, linear.bias, linear.isTrained, linear.column});
}

void append(std::vector<AdapterRows>& rows, const AdapterRows& next, int64_t inFeatures) {
    if (!rows.empty() && rows.back().offsetA + rows.back().rows * inFeatures == next.offsetA)
        rows.back().rows += next.rows;
    else
        rows.push_back(next);
}

} // namespace

LinearShape::LinearShape(const LayerLayout& layout, arch::TensorRole role, std::optional<arch::TensorRole> biasRole)
    : LinearShape(layout, layout.base.at(role), biasRole ? layout.base.find(*biasRole) : nullptr,
                  layout.adapter.find(role)) {}

LinearShape::LinearShape(const LayerLayout& layout, const TensorPlace& weightPlace, const TensorPlace* biasPlace,
                         const AdapterPlace* adapterPlace)
    : weight(weightPlace), isTrained(weight.isTrained()) {
    RP_CHECK(weight.spec.shape.size() == 2);
    if (biasPlace != nullptr) bias = *biasPlace;
    if (adapterPlace == nullptr) return;
    RP_CHECK(adapterPlace->linear.inFeatures == inFeatures() && adapterPlace->linear.outFeatures == outFeatures());
    adapter = *adapterPlace;
    rank = layout.adapter.rank;
    scale = layout.adapter.scale;
    dropout = layout.adapter.dropout;
    moduleKey = hashName(adapterPlace->linear.fullName);
}

namespace {

std::vector<LinearShape> shapesOf(const LayerLayout& layout, std::initializer_list<LinearGroup::Member> members) {
    std::vector<LinearShape> shapes;
    for (const LinearGroup::Member& member : members)
        shapes.emplace_back(layout, member.role, member.biasRole);
    return shapes;
}

} // namespace

LinearGroup::LinearGroup(const LayerLayout& layout, std::initializer_list<Member> members)
    : LinearGroup(shapesOf(layout, members)) {}

LinearGroup::LinearGroup(std::vector<LinearShape> members) : linears(std::move(members)) {
    int64_t column = 0, adapterColumn = 0;
    for (LinearShape& linear : linears) {
        RP_CHECK(linear.inFeatures() == inFeatures());
        linear.column = column;
        linear.adapterColumn = adapterColumn;
        column += linear.outFeatures();
        adapterColumn += linear.rank;
        append(weights, linear);
        if (!linear.adapter) continue;
        apart.push_back({linear.adapter->offsetA, linear.rank, linear.adapterColumn, linear.dropout, linear.moduleKey});
        append(adapters, apart.back(), inFeatures());
    }
}

int64_t LinearGroup::adapterColumns() const {
    return linears.back().adapterColumn + linears.back().rank;
}

int64_t LinearGroup::appendedColumns(int64_t numTokens) const {
    const bool isOne = numTokens >= kTokensToAppendFor && weights.size() == 1 && adapters.size() == 1;
    return isOne && weights.front().weight.spareColumns == adapterColumns() ? adapterColumns() : 0;
}

bool LinearGroup::isTrained() const {
    return std::ranges::any_of(linears, &LinearShape::isTrained);
}

Matrix LinearGroup::takeAdapterProduct(Workspace& memory, DType dtype, int64_t numTokens) const {
    return isAdapted() ? memory.takeMatrix(dtype, numTokens, adapterColumns()) : Matrix{};
}

int64_t LinearGroup::gradientWidth() const {
    int64_t width = 0;
    for (const WeightRows& rows : weights)
        if (rows.isTrained) width = std::max(width, rows.outFeatures() + inFeatures());
    for (const AdapterRows& rows : adapters)
        width = std::max(width, rows.rows + inFeatures());
    for (const LinearShape& linear : linears)
        if (linear.adapter) width = std::max(width, linear.outFeatures() + linear.rank);
    return width;
}

QuantisedRows::QuantisedRows(Workspace& memory, int64_t numTokens, int64_t columns) {
    if (columns == 0) return;
    codes = memory.take(numTokens * columns);
    scales = memory.takeArray<float>(numTokens);
}

Matrix takeSumParts(Workspace& memory, bool trainsTensors, DType operandType, int64_t width) {
    return trainsTensors ? memory.takeMatrix(statisticsType(operandType), kSumParts, width) : Matrix{};
}

int64_t gradientScratchBytes(DType operandType, int64_t width) {
    return statisticsType(operandType) == operandType ? 0 : bytesOf(DType::kF32, kWidenedRows * width);
}

} // namespace roundpipe::geometry
