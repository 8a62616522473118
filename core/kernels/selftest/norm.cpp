// SPDX-License-Identifier: GPL-3.0-or-later
// Norms, and sums over all rows.
#include "kernels/selftest/cases.h"

namespace roundpipe::kernels {
namespace {

void addNorm(Cases& cases, const Size& size, bool addsOne) {
    const std::string name = (addsOne ? " of 1 + w" : "") + size.name();
    const Size vector{1, size.cols, 0}, perRow{1, size.rows, 0};
    cases.add("rmsNorm" + name, 3,
              {cases.random(size, 3), cases.random(vector, 2), Cases::output(size),
               Cases::output(perRow, OperandKind::kStatistic)},
              [addsOne](const Target& target, const std::vector<Matrix>& m) {
                  rmsNorm(target, m[0], {m[1].data, addsOne}, kEps, m[2], m[3].data);
              });
    for (const bool withResidual : {false, true}) {
        // rstd needs not fit x here: the formula is the same for any.
        std::vector<CaseOperand> operands = {cases.random(size, 1), cases.random(size, 3), cases.random(vector, 2),
                                             cases.random(perRow, 1, OperandKind::kStatistic), Cases::output(size)};
        if (withResidual) operands.push_back(cases.random(size, 1));
        cases.add((withResidual ? "rmsNormBackward with residual" : "rmsNormBackward") + name, 4, operands,
                  [withResidual, addsOne](const Target& target, const std::vector<Matrix>& m) {
                      rmsNormBackward(target, m[0], m[1], {m[2].data, addsOne}, m[3].data,
                                      withResidual ? &m[5] : nullptr, m[4]);
                  });
    }
}

void addColumnSumCases(Cases& cases) {
    for (const Size size : {Size{2, 9, 0}, Size{37, 127, 2}, Size{301, 96, 0}, Size{5, 4096, 64}}) {
        const Size vector{1, size.cols, 0}, perRow{1, size.rows, 0};
        const CaseOperand sums = Cases::changed(cases.random(vector, 1, OperandKind::kStatistic));
        cases.add(
            "addColumnSums" + size.name(), 4, {cases.random(size, 1), Cases::partsOf(size.cols), sums},
            [](const Target& target, const std::vector<Matrix>& m) { addColumnSums(target, m[0], m[1], m[2].data); });
        cases.add("rmsNormWeightGradient" + size.name(), 4,
                  {cases.random(size, 1), cases.random(size, 3), cases.random(perRow, 1, OperandKind::kStatistic),
                   Cases::partsOf(size.cols), sums},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      rmsNormWeightGradient(target, m[0], m[1], m[2].data, m[3], m[4].data);
                  });
    }
}

} // namespace

void addNorms(Cases& cases) {
    for (const Size& size : kPlainSizes)
        for (const bool addsOne : {false, true})
            addNorm(cases, size, addsOne);
    addColumnSumCases(cases);
}

} // namespace roundpipe::kernels
