// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include "base/mxfp4.h"
#include "base/nf4.h"
#include "kernels/packing.h"

namespace roundpipe::kernels {

namespace {

// Three matrices that are alike, at once: their codes and then their rows' scales, each 16 bytes behind the last's end.
void addRepeated(Cases& cases) {
    constexpr int64_t kCount = 3, kRows = 8, kCols = 72, kCodes = kRows * kCols;
    constexpr int64_t kBytes = kCodes + kRows * static_cast<int64_t>(sizeof(float)) + 16;
    const CaseOperand drawn = cases.random({kCount * kRows, kCols, 0}, 0.1, OperandKind::kOther);
    const std::vector<float> values(drawn.values.begin(), drawn.values.end());
    std::vector<uint8_t> packed(static_cast<std::size_t>(kCount * kBytes));
    for (int64_t row = 0; row < kCount * kRows; ++row) {
        uint8_t* const matrix = packed.data() + row / kRows * kBytes;
        packFp8Row(values.data() + row * kCols, kCols, matrix + row % kRows * kCols,
                   reinterpret_cast<float*>(matrix + kCodes) + row % kRows);
    }
    const Size all{kCount * kRows, kCols, 8};
    cases.add("unpackFp8, three at once" + all.name(), 1, {Cases::bitsOf(packed), Cases::output(all)},
              [](const Target& target, const std::vector<Matrix>& m) {
                  const auto* const codes = static_cast<const uint8_t*>(m[0].data);
                  Matrix first = m[1];
                  first.rows = kRows;
                  unpackFp8(target, codes, reinterpret_cast<const float*>(codes + kCodes), first,
                            {kCount, kBytes, kRows * first.pitch * static_cast<int64_t>(sizeOf(first.dtype))});
              });
}

} // namespace

// Blocks of 64 that end within rows and with them; an odd number of values.
void addUnpacking(Cases& cases) {
    addRepeated(cases);
    for (const Size size : {Size{3, 127, 2}, Size{37, 1024, 0}, Size{5, 4096, 64}, Size{70, 72, 8}}) {
        const std::string name = size.name();
        const CaseOperand drawn = cases.random({size.rows, size.cols, 0}, 0.1, OperandKind::kOther);
        const std::vector<float> values(drawn.values.begin(), drawn.values.end());
        const auto count = std::ssize(values);
        const int64_t numBlocks = numNf4Blocks(count);
        std::vector<uint8_t> codes(static_cast<std::size_t>(count + 1) / 2), magnitudeCodes;
        std::vector<float> magnitudes, scales, mean(1);
        magnitudes.resize(static_cast<std::size_t>(numBlocks));
        magnitudeCodes.resize(magnitudes.size());
        scales.resize(static_cast<std::size_t>(numNf4Scales(numBlocks)));
        packNf4Values(values.data(), count, codes.data(), magnitudes.data());
        packNf4Magnitudes(magnitudes.data(), numBlocks, magnitudeCodes.data(), scales.data(), mean.data());
        cases.add("unpackNf4" + name, 1,
                  {Cases::bitsOf(codes), Cases::bitsOf(magnitudeCodes), Cases::bitsOf(scales), Cases::bitsOf(mean),
                   Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackNf4(target,
                                {static_cast<const uint8_t*>(m[0].data), static_cast<const uint8_t*>(m[1].data),
                                 static_cast<const float*>(m[2].data), static_cast<const float*>(m[3].data)},
                                m[4]);
                  });
        std::vector<uint8_t> exponents(static_cast<std::size_t>(numMxfp4Groups(count)));
        packMxfp4Values(values.data(), count, codes.data(), exponents.data());
        cases.add("unpackMxfp4" + name, 1, {Cases::bitsOf(codes), Cases::bitsOf(exponents), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackMxfp4(target, static_cast<const uint8_t*>(m[0].data),
                                  static_cast<const uint8_t*>(m[1].data), m[2]);
                  });
        std::vector<uint8_t> rows(values.size());
        scales.resize(static_cast<std::size_t>(size.rows));
        for (int64_t row = 0; row < size.rows; ++row)
            packInt8Row(values.data() + row * size.cols, size.cols,
                        reinterpret_cast<int8_t*>(rows.data()) + row * size.cols,
                        &scales[static_cast<std::size_t>(row)]);
        cases.add("unpackInt8" + name, 1, {Cases::bitsOf(rows), Cases::bitsOf(scales), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackInt8(target, static_cast<const int8_t*>(m[0].data), static_cast<const float*>(m[1].data),
                                 m[2]);
                  });
        for (int64_t row = 0; row < size.rows; ++row)
            packFp8Row(values.data() + row * size.cols, size.cols, rows.data() + row * size.cols,
                       &scales[static_cast<std::size_t>(row)]);
        cases.add("unpackFp8" + name, 1, {Cases::bitsOf(rows), Cases::bitsOf(scales), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackFp8(target, static_cast<const uint8_t*>(m[0].data), static_cast<const float*>(m[1].data),
                                m[2]);
                  });
    }
}

} // namespace roundpipe::kernels
