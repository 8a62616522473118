// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/selftest.h"

#include "kernels/selftest/cases.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <random>

namespace roundpipe::kernels {

namespace {

// What one rounding to the type costs at most, with some room for the fp32 sums behind it.
double toleranceOf(DType dtype) {
    switch (dtype) {
    case DType::kF64:
        return 1e-13;
    case DType::kF32:
        return 1e-6;
    case DType::kBF16:
        return 0x1p-8;
    case DType::kF16:
        return 0x1p-11;
    default:
        return 0; // integers are the same or wrong
    }
}

// The same call on the same inputs with every floating operand in double.
Case inDouble(Case which) {
    for (CaseOperand& operand : which.operands)
        if (operand.kind == OperandKind::kOther) operand.kind = OperandKind::kStorage;
    return which;
}

double relativeError(const std::vector<double>& values, const std::vector<double>& reference) {
    double squares = 0, norm = 0, worst = 0, largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double difference = values[i] - reference[i];
        if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
        squares += difference * difference;
        norm += reference[i] * reference[i];
        worst = std::max(worst, std::abs(difference));
        largest = std::max(largest, std::abs(reference[i]));
    }
    if (worst == 0) return 0;
    if (largest == 0) return std::numeric_limits<double>::infinity();
    return std::max(std::sqrt(squares / norm), worst / largest);
}

using Values = std::vector<std::vector<double>>; // of each operand

// Of several outputs, the one that comes closest to its tolerance stands in the result.
SelfTestResult compare(const Case& which, DType dtype, int cudaDevice, const Values& reference) {
    const auto begin = std::chrono::steady_clock::now();
    SelfTestResult result;
    result.name =
        which.name + ", " + toString(dtype) + (cudaDevice < 0 ? ", cpu" : ", cuda:" + std::to_string(cudaDevice));
    result.passed = true;
    const Values values = runCase(which, dtype, cudaDevice);
    double closest = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (which.operands[i].role == OperandRole::kScratch) continue;
        const DType type = typeOf(which.operands[i], dtype);
        const bool written = which.operands[i].role != OperandRole::kInput;
        const double error = relativeError(values[i], reference[i]);
        const double tolerance = written ? which.roundings * toleranceOf(type) : 0;
        result.passed = result.passed && error <= tolerance;
        const double closeness = error <= tolerance ? (tolerance > 0 ? error / tolerance : 0) : 1 + error;
        if (closeness <= closest || (!written && error == 0)) continue;
        closest = closeness;
        result.largestError = error;
        result.tolerance = tolerance;
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

struct CaseRun {
    Case which;
    DType dtype;
};

} // namespace

std::vector<SelfTestResult> selfTest(std::span<const int> cudaDevices, const SelfTestProgress& progress) {
    const uint64_t seed = std::random_device{}();
    std::vector<CaseRun> runs;
    for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16}) {
        if (cudaDevices.empty() && dtype == DType::kF64) continue; // the reference itself
        for (Case& which : selfTestCases(dtype, seed))
            runs.push_back({std::move(which), dtype});
    }
    std::vector<int> places(cudaDevices.begin(), cudaDevices.end());
    if (places.empty()) places.push_back(-1);
    const std::size_t numTotal = runs.size() * places.size();
    std::vector<SelfTestResult> results;
    for (const CaseRun& run : runs) {
        const Values reference = runCase(inDouble(run.which), DType::kF64, -1);
        std::vector<std::future<SelfTestResult>> compared; // on all places at once
        for (const int place : places)
            compared.push_back(
                std::async(std::launch::async, [&, place] { return compare(run.which, run.dtype, place, reference); }));
        for (std::future<SelfTestResult>& one : compared) {
            results.push_back(one.get());
            if (progress) progress(results.back(), static_cast<int>(results.size()), static_cast<int>(numTotal));
        }
    }
    return results;
}

} // namespace roundpipe::kernels
