// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include "base/fp8.h"

#include <algorithm>

namespace roundpipe::kernels {
namespace {

// Bytes of words, as whole numbers.
CaseOperand codesOut(int64_t count) {
    constexpr int64_t kWord = sizeof(int32_t);
    return Cases::output({1, count / kWord, 0}, OperandKind::kInt32);
}

// fp32 whatever type is tested.
CaseOperand floats(Cases& cases, int64_t count, double scale) {
    const CaseOperand drawn = cases.random({1, count, 0}, scale, OperandKind::kOther);
    return Cases::bitsOf(std::vector<float>(drawn.values.begin(), drawn.values.end()));
}

} // namespace

// Rows that threads keep, and longer ones; with factors of columns side by side, and without.
void addFp8(Cases& cases) {
    for (const Size size : {Size{4, 127, 2}, Size{37, 1024, 0}, Size{70, 72, 8}, Size{3, 36928, 0}}) {
        const std::string name = size.name();
        const int64_t first = size.cols / 24 * 8, rest = size.cols - first;
        const auto quantise = [](const Target& target, const std::vector<Matrix>& m, std::size_t out) {
            const ColumnFactors factors[] = {{m[1].cols, static_cast<const float*>(m[1].data)},
                                             {m[2].cols, static_cast<const float*>(m[2].data)}};
            quantiseFp8(target, m[0], std::span(factors).first(out > 3 ? 0 : 2),
                        {static_cast<uint8_t*>(m[3].data), static_cast<float*>(m[4].data)});
        };
        for (const bool isFactored : {false, true})
            cases.add("quantiseFp8" + std::string(isFactored ? " of factored columns" : "") + name, 0,
                      {cases.random(size, 8), floats(cases, first, 2), floats(cases, rest, 2),
                       codesOut(size.rows * size.cols), Cases::output({1, size.rows, 0}, OperandKind::kInt32)},
                      [quantise, isFactored](const Target& target, const std::vector<Matrix>& m) {
                          quantise(target, m, isFactored ? 3 : 4);
                      });
        for (const bool isWhole : {false, true})
            cases.add("scaleFp8Product" + std::string(isWhole ? " with bias" : "") + name, 2,
                      {Cases::changed(cases.random(size, 8)), floats(cases, size.rows, 1), floats(cases, size.cols, 1),
                       cases.random({1, size.cols, 0}, 8)},
                      [isWhole](const Target& target, const std::vector<Matrix>& m) {
                          scaleFp8Product(target, m[0], static_cast<const float*>(m[1].data),
                                          isWhole ? static_cast<const float*>(m[2].data) : nullptr,
                                          isWhole ? m[3].data : nullptr);
                      });
    }
    for (const Size size : {Size{128, 128, 0}, Size{4, 300, 0}, Size{260, 132, 0}, Size{6, 10, 0}}) {
        const CaseOperand drawn = cases.random({size.rows, size.cols, 0}, 8, OperandKind::kOther);
        std::vector<uint8_t> codes(drawn.values.size());
        std::ranges::transform(drawn.values, codes.begin(),
                               [](double value) { return toE4m3(static_cast<float>(value)); });
        cases.add("transposeCodes" + size.name(), 0, {Cases::bitsOf(codes), codesOut(std::ssize(codes))},
                  [size](const Target& target, const std::vector<Matrix>& m) {
                      transposeCodes(target, static_cast<const uint8_t*>(m[0].data), size.rows, size.cols,
                                     static_cast<uint8_t*>(m[1].data));
                  });
    }
}

} // namespace roundpipe::kernels
