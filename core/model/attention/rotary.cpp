// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/rotary.h"

#include "base/error.h"
#include "geometry/attention.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roundpipe::model {
namespace {

using arch::RopeConfig;

// base^(2i / dim) for i in 0..dim/2.
template <class Real>
std::vector<Real> periods(double base, int64_t dim) {
    std::vector<Real> values;
    for (int64_t i = 0; i < dim; i += 2)
        values.push_back(std::pow(static_cast<Real>(base), static_cast<Real>(i) / static_cast<Real>(dim)));
    return values;
}

template <class Real>
std::vector<Real> plainFrequencies(double base, int64_t dim) {
    std::vector<Real> values = periods<Real>(base, dim);
    for (Real& value : values)
        value = Real(1) / value;
    return values;
}

double dynamicBase(const RopeConfig& rope, int64_t maxPositions, int64_t dim, int64_t sequenceLength) {
    const double longest = static_cast<double>(std::max(sequenceLength, maxPositions));
    const double stretch = rope.factor * longest / static_cast<double>(maxPositions) - (rope.factor - 1);
    return rope.theta * std::pow(stretch, static_cast<double>(dim) / static_cast<double>(dim - 2));
}

// Long wavelengths are slowed by `factor`, short ones kept, those between blended.
template <class Real>
std::vector<Real> llama3Frequencies(const RopeConfig& rope, int64_t original, int64_t dim) {
    const double context = static_cast<double>(original);
    const Real longest = static_cast<Real>(context / rope.lowFrequencyFactor);
    const Real shortest = static_cast<Real>(context / rope.highFrequencyFactor);
    const Real factor = static_cast<Real>(rope.factor);
    const Real low = static_cast<Real>(rope.lowFrequencyFactor);
    const Real range = static_cast<Real>(rope.highFrequencyFactor - rope.lowFrequencyFactor);
    std::vector<Real> values = plainFrequencies<Real>(rope.theta, dim);
    for (Real& value : values) {
        const Real wavelength = static_cast<Real>(2 * std::numbers::pi) / value;
        if (wavelength > longest) {
            value = value / factor;
        } else if (wavelength >= shortest) {
            const Real smooth = (static_cast<Real>(context) / wavelength - low) / range;
            value = (Real(1) - smooth) * value / factor + smooth * value;
        }
    }
    return values;
}

double yarnScale(double factor, double mscale) {
    return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

double yarnAttentionFactor(const RopeConfig& rope) {
    if (rope.attentionFactor) return *rope.attentionFactor;
    if (rope.mscale.value_or(0) != 0 && rope.mscaleAllDim.value_or(0) != 0)
        return yarnScale(rope.factor, *rope.mscale) / yarnScale(rope.factor, *rope.mscaleAllDim);
    return yarnScale(rope.factor, 1.0);
}

// The dimension that turns `rotations` times within the original context.
double yarnDimension(double rotations, double base, int64_t original, int64_t dim) {
    return static_cast<double>(dim) * std::log(static_cast<double>(original) / (rotations * 2 * std::numbers::pi)) /
           (2 * std::log(base));
}

// Dimensions that turn often are kept, those that turn rarely are slowed by `factor`, a linear ramp between.
template <class Real>
std::vector<Real> yarnFrequencies(const RopeConfig& rope, int64_t original, int64_t dim) {
    double low = yarnDimension(rope.betaFast, rope.theta, original, dim);
    double high = yarnDimension(rope.betaSlow, rope.theta, original, dim);
    if (rope.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(dim - 1));
    if (low == high) high += 0.001; // as transformers: no division by zero

    std::vector<Real> values = periods<Real>(rope.theta, dim);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Real position = (static_cast<Real>(i) - static_cast<Real>(low)) / static_cast<Real>(high - low);
        const Real kept = Real(1) - std::clamp(position, Real(0), Real(1));
        const Real slowed = Real(1) / (static_cast<Real>(rope.factor) * values[i]);
        values[i] = slowed * (Real(1) - kept) + Real(1) / values[i] * kept;
    }
    return values;
}

// Each period has a factor of its own, and another one where a sequence is longer than those of the pretraining.
template <class Real>
std::vector<Real> longRopeFrequencies(const RopeConfig& rope, int64_t original, int64_t dim, int64_t sequenceLength) {
    const std::vector<double>& factors = sequenceLength > original ? rope.longFactors : rope.shortFactors;
    std::vector<Real> values = periods<Real>(rope.theta, dim);
    RP_CHECK(factors.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = Real(1) / (static_cast<Real>(factors[i]) * values[i]);
    return values;
}

template <class Real>
std::vector<Real> frequencies(const arch::ModelConfig& config, const RopeConfig& rope, int64_t sequenceLength) {
    const int64_t dim = 2 * geometry::rotaryHalfOf(config);
    const int64_t original = rope.originalMaxPositions > 0 ? rope.originalMaxPositions : config.maxPositions;
    switch (rope.type) {
    case RopeConfig::Type::kDefault:
        return plainFrequencies<Real>(rope.theta, dim);
    case RopeConfig::Type::kLinear: {
        std::vector<Real> values = plainFrequencies<Real>(rope.theta, dim);
        for (Real& value : values)
            value /= static_cast<Real>(rope.factor);
        return values;
    }
    case RopeConfig::Type::kDynamic:
        return plainFrequencies<Real>(dynamicBase(rope, config.maxPositions, dim, sequenceLength), dim);
    case RopeConfig::Type::kLlama3:
        return llama3Frequencies<Real>(rope, original, dim);
    case RopeConfig::Type::kYarn:
        return yarnFrequencies<Real>(rope, original, dim);
    case RopeConfig::Type::kLongRope:
        return longRopeFrequencies<Real>(rope, original, dim, sequenceLength);
    }
    RP_CHECK(false);
}

} // namespace

Rotary makeRotary(const arch::ModelConfig& config, const RopeConfig& rope, int64_t sequenceLength, DType statistics) {
    Rotary rotary;
    if (statistics == DType::kF64) {
        rotary.inverseFrequencies = frequencies<double>(config, rope, sequenceLength);
    } else {
        const std::vector<float> values = frequencies<float>(config, rope, sequenceLength);
        rotary.inverseFrequencies.assign(values.begin(), values.end());
    }
    if (rope.type == RopeConfig::Type::kYarn) rotary.scaling = yarnAttentionFactor(rope);
    if (rope.type == RopeConfig::Type::kLongRope) rotary.scaling = rope.attentionFactor.value();
    return rotary;
}

} // namespace roundpipe::model
