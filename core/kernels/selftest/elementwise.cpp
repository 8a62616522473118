// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include <vector>

namespace roundpipe::kernels {
namespace {

void addGlu(Cases& cases, Activation activation, const Size& size) {
    const std::string name = " of " + nameOf(activation) + size.name();
    cases.add("glu" + name, 2, {cases.random(size, 8), cases.random(size, 2), Cases::output(size)},
              [activation](const Target& target, const std::vector<Matrix>& m) {
                  glu(target, activation, m[0], m[1], m[2]);
              });
    for (const bool withAct : {false, true}) {
        std::vector<CaseOperand> operands = {cases.random(size, 1), cases.random(size, 8), cases.random(size, 2),
                                             Cases::output(size), Cases::output(size)};
        if (withAct) operands.push_back(Cases::output(size));
        cases.add((withAct ? "gluBackward with product" : "gluBackward") + name, 2, operands,
                  [activation, withAct](const Target& target, const std::vector<Matrix>& m) {
                      gluBackward(target, activation, m[0], m[1], m[2], m[3], m[4], withAct ? &m[5] : nullptr);
                  });
    }
    cases.add("gluBackward in place" + name, 2,
              {Cases::changed(cases.random(size, 1)), Cases::changed(cases.random(size, 8)),
               Cases::changed(cases.random(size, 2))},
              [activation](const Target& target, const std::vector<Matrix>& m) {
                  gluBackward(target, activation, m[0], m[1], m[2], m[1], m[2], &m[0]);
              });
}

void addPlain(Cases& cases) {
    for (const Size size : kPlainSizes) {
        const std::string name = size.name();
        const Size table{50, size.cols, size.spare};
        std::vector<int64_t> ids, repeated; // of few rows, and some of none
        for (int64_t t = 0; t < size.rows; ++t) {
            ids.push_back(t * 7 % 50);
            repeated.push_back(t * t % 9 == 1 ? -1 : t * t % 11);
        }
        cases.add("embed" + name, 0, {cases.random(table, 1), Cases::integers(ids), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      embed(target, m[0], static_cast<const int32_t*>(m[1].data), m[2]);
                  });
        cases.add("embedGradient" + name, 2,
                  {cases.random(size, 1), Cases::integers(repeated),
                   Cases::changed(cases.random(table, 1, OperandKind::kStatistic))},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      embedGradient(target, m[0], static_cast<const int32_t*>(m[1].data), m[2]);
                  });
        cases.add("sigmoid" + name, 2, {cases.random(size, 8), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) { sigmoid(target, m[0], m[1]); });
        cases.add(
            "sigmoidBackward" + name, 2, {cases.random(size, 1), cases.random(size, 1), Cases::output(size)},
            [](const Target& target, const std::vector<Matrix>& m) { sigmoidBackward(target, m[0], m[1], m[2]); });
        for (const Activation activation : {Activation::kSilu, Activation::kGeluTanh})
            addGlu(cases, activation, size);
        cases.add("add" + name, 1, {cases.random(size, 1), cases.random(size, 1), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) { add(target, m[0], m[1], m[2]); });
    }
}

void addConversions(Cases& cases) {
    for (const DType other : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16}) {
        for (const Size size : {Size{3, 127, 2}, Size{9, 512, 0}}) {
            const std::string name = std::string(" ") + toString(other) + size.name();
            CaseOperand out = Cases::output(size, OperandKind::kOther);
            out.dtype = other;
            cases.add("convert to" + name, 2, {cases.random(size, 1), out},
                      [](const Target& target, const std::vector<Matrix>& m) { convert(target, m[0], 0.7, m[1]); });
        }
    }
}

} // namespace

void addElementwise(Cases& cases) {
    addPlain(cases);
    addConversions(cases);
}

} // namespace roundpipe::kernels
