// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of stacked experts as PEFT's files have them (its ParamWrapper; internal to the folder). An adapted
// parameter has no module of its own: PEFT wraps the module that holds it, and wraps the wrapper for the next one, in
// the order of the module's parameters. A is (experts * rank, in), expert by expert, as it is computed with; B is (out,
// rank * experts), in which the experts of a rank lie side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe::artifact {

// The module by which tensors of number `place` of `count` adapted parameters of one module are named:
// "….mlp.experts.base_layer" of the first of two, "….mlp.experts" of the last.
std::string wrapperOf(const std::string& parameter, std::size_t place, std::size_t count);
// Whether a module of a tensor's name may be one.
bool mayBeWrapper(std::string_view module);

// B as it is computed with, (experts, out, rank), and as files have it.
struct StackedB {
    int64_t experts = 0; // 0: no stack, as it lies
    int64_t out = 0;
    int64_t rank = 0;

    void toFile(std::span<const std::byte> values, std::span<std::byte> file) const;
    void fromFile(std::span<const std::byte> file, std::span<std::byte> values) const;
};

} // namespace roundpipe::artifact
