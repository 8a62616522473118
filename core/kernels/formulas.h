// SPDX-License-Identifier: GPL-3.0-or-later
// What families of models do otherwise, shared by the CPU twins and CUDA: what a norm multiplies by, and what a gate
// goes through.
#pragma once

#include "kernels/kernels.h"
#include "kernels/scalar.h"

namespace roundpipe::kernels {

// What `normed` values are multiplied by in an RMSNorm, and the product: see NormWeight.
template <class S>
RP_HOST_DEVICE inline S normFactor(S weight, bool addsOne) {
    return addsOne ? S{1} + weight : weight;
}
template <class T, class S>
RP_HOST_DEVICE inline S weighed(S normed, S weight, bool addsOne) {
    return (addsOne ? normed : rounded<T>(normed)) * normFactor(weight, addsOne);
}

// A gate g goes through g * sigma(u): of SiLU u is g. GELU's formula g / 2 * (1 + tanh(z)) is that, too, with u = 2 z,
// as (1 + tanh(z)) / 2 = sigma(2 z); z = sqrt(2 / pi) * (g + 0.044715 g³).
inline constexpr double kGeluSlope = 1.5957691216057308; // 2 sqrt(2 / pi)
inline constexpr double kGeluCube = 0.044715;

template <Activation kActivation, class S>
RP_HOST_DEVICE inline S sigmoidArgument(S g) {
    if constexpr (kActivation == Activation::kGeluTanh)
        return static_cast<S>(kGeluSlope) * (g + static_cast<S>(kGeluCube) * g * g * g);
    else
        return g;
}
// g times the derivative of u.
template <Activation kActivation, class S>
RP_HOST_DEVICE inline S sigmoidSlope(S g) {
    if constexpr (kActivation == Activation::kGeluTanh)
        return static_cast<S>(kGeluSlope) * g * (S{1} + static_cast<S>(3 * kGeluCube) * g * g);
    else
        return g;
}

// gpt-oss's gated unit, of ClampedGate: a gate and an up as they count. No gradient goes to what is cut off.
template <class S>
struct ClampedPair {
    S gate, up;
    bool gateIsCut, upIsCut;
};
template <class S>
RP_HOST_DEVICE inline ClampedPair<S> clampedPair(S gate, S up, S limit) {
    const bool gateIsCut = gate > limit, above = up > limit, below = up < -limit;
    return {gateIsCut ? limit : gate, above ? limit : below ? -limit : up, gateIsCut, above || below};
}

// Calls visitor with the activation as a constant.
template <class Visitor>
__attribute__((always_inline)) inline void visitActivation(Activation activation, Visitor&& visitor) {
    if (activation == Activation::kGeluTanh)
        visitor(std::integral_constant<Activation, Activation::kGeluTanh>{});
    else
        visitor(std::integral_constant<Activation, Activation::kSilu>{});
}

} // namespace roundpipe::kernels
