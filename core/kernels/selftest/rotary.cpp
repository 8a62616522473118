// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include <cmath>

namespace roundpipe::kernels {

void addRotary(Cases& cases) {
    for (const HeadSize s : {HeadSize{5, 3, 10, 3, 1}, HeadSize{33, 4, 64, 32, 0}, HeadSize{7, 2, 80, 16, 16},
                             HeadSize{9, 5, 128, 64, 0}, HeadSize{3, 2, 256, 128, 8}}) {
        const Size size{s.tokens, s.heads * s.headDim, s.spare}, table{s.tokens, 2 * s.half, 0},
            weight{1, s.headDim, 0};
        const Size perHead{s.tokens, s.heads, 0};
        const int64_t heads = s.heads, half = s.half;
        std::vector<int64_t> positions;
        for (int64_t t = 0; t < s.tokens; ++t)
            positions.push_back(t * 61 % 2000);
        std::vector<double> frequencies; // powers of two: their angles are exact in fp32 too
        for (int64_t i = 0; i < half; ++i)
            frequencies.push_back(std::exp2(-static_cast<double>(i % 12)));
        cases.add("rotaryTable" + table.name(), 2,
                  {Cases::integers(positions), cases.given({1, half, 0}, frequencies, OperandKind::kTotal),
                   Cases::output(table, OperandKind::kStatistic)},
                  [half](const Target& target, const std::vector<Matrix>& m) {
                      rotaryTable(target, static_cast<const int32_t*>(m[0].data), static_cast<const double*>(m[1].data),
                                  half, 1.25, m[2]);
                  });
        cases.add("headNormWeightGradient" + size.name() + " heads of " + std::to_string(s.headDim), 4,
                  {cases.random(size, 1), cases.random(size, 3), cases.random(perHead, 1, OperandKind::kStatistic),
                   cases.random(table, 1, OperandKind::kStatistic), Cases::partsOf(s.headDim),
                   Cases::changed(cases.random(weight, 1, OperandKind::kStatistic))},
                  [heads](const Target& target, const std::vector<Matrix>& m) {
                      headNormWeightGradient(target, m[0], m[1], heads, m[2].data, m[3], m[4], m[5].data);
                  });
        for (const auto& [norm, addsOne] : kNorms) {
            const std::string name = wordsOf(norm, addsOne) + size.name() + " heads of " + std::to_string(s.headDim);
            std::vector<CaseOperand> operands = {cases.random(size, 3), cases.random(weight, 2),
                                                 cases.random(table, 1, OperandKind::kStatistic), Cases::output(size)};
            if (norm) operands.push_back(Cases::output(perHead, OperandKind::kStatistic));
            cases.add("headNormRotary" + name, 4, operands,
                      [norm, addsOne, heads](const Target& target, const std::vector<Matrix>& m) {
                          headNormRotary(target, m[0], heads, {norm ? m[1].data : nullptr, addsOne}, kEps, m[2], m[3],
                                         norm ? m[4].data : nullptr);
                      });
            cases.add("headNormRotaryBackward" + name, 4,
                      {cases.random(size, 1), cases.random(size, 3), cases.random(weight, 2),
                       cases.random(perHead, 1, OperandKind::kStatistic),
                       cases.random(table, 1, OperandKind::kStatistic), Cases::output(size)},
                      [norm, addsOne, heads](const Target& target, const std::vector<Matrix>& m) {
                          headNormRotaryBackward(target, m[0], m[1], heads, {norm ? m[2].data : nullptr, addsOne},
                                                 m[3].data, m[4], m[5]);
                      });
        }
    }
}

} // namespace roundpipe::kernels
