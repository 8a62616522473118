// SPDX-License-Identifier: GPL-3.0-or-later
// What only answers call: a few new rows beside a cache.
#include "kernels/selftest/cases.h"

#include <cmath>

namespace roundpipe::kernels {
namespace {

void addCachedHeads(Cases& cases) {
    for (const HeadSize s : {HeadSize{3, 3, 10, 3, 1}, HeadSize{2, 4, 64, 32, 0}, HeadSize{1, 2, 80, 16, 16},
                             HeadSize{1, 6, 128, 64, 0}, HeadSize{1, 2, 256, 128, 8}}) {
        CachedHeads heads;
        heads.numHeads = s.heads;
        heads.numKvHeads = (s.heads + 1) / 2;
        heads.headDim = s.headDim;
        heads.eps = kEps;
        heads.scaling = 1.25;
        std::vector<double> frequencies; // powers of two, as for rotaryTable
        for (int64_t i = 0; i < s.half; ++i)
            frequencies.push_back(std::exp2(-static_cast<double>(i % 12)));
        const int64_t keyColumns = heads.numKvHeads * s.headDim, numRows = 5;
        const Size all{s.tokens, s.heads * s.headDim + 2 * keyColumns, s.spare}, cache{numRows, keyColumns, s.spare};
        std::vector<int64_t> positions;
        for (int64_t t = 0; t < s.tokens; ++t)
            positions.push_back(numRows - s.tokens + t);
        for (const auto& [norm, addsOne] : kNorms)
            cases.add(
                "headsIntoCache" + wordsOf(norm, addsOne) + all.name() + " heads of " + std::to_string(s.headDim), 4,
                {cases.random(all, 3), Cases::integers(positions), cases.random({1, s.headDim, 0}, 2),
                 cases.random({1, s.headDim, 0}, 2), Cases::output({s.tokens, s.heads * s.headDim, s.spare}),
                 Cases::changed(cases.random(cache, 1)), Cases::changed(cases.random(cache, 1))},
                [heads, frequencies, norm, addsOne](const Target& target, const std::vector<Matrix>& m) {
                    CachedHeads called = heads;
                    called.inverseFrequencies = frequencies;
                    called.qNorm = {norm ? m[2].data : nullptr, addsOne};
                    called.kNorm = {norm ? m[3].data : nullptr, addsOne};
                    headsIntoCache(target, called, m[0], static_cast<const int32_t*>(m[1].data), m[4], m[5], m[6]);
                });
    }
}

struct RowSize {
    int64_t in;
    std::vector<int64_t> outs; // of linears side by side; the first has no adapter where there are several
    int64_t spare, rank;
    bool norm, addsOne;
};

void addRowProduct(Cases& cases, const RowSize& s) {
    int64_t numColumns = 0;
    for (const int64_t out : s.outs)
        numColumns += out;
    std::string name = " " + std::to_string(s.in) + (s.spare > 0 ? "+" + std::to_string(s.spare) : "") + " to " +
                       std::to_string(numColumns) + wordsOf(s.norm, s.addsOne);
    // x, its norm's weight, the residual, the result; then weight, bias, B and xA of each
    std::vector<CaseOperand> operands = {cases.random({1, s.in, 0}, 1), cases.random({1, s.in, 0}, 1),
                                         cases.random({1, numColumns, 0}, 1), Cases::output({1, numColumns, 0})};
    for (const int64_t out : s.outs) {
        operands.push_back(cases.random({out, s.in, s.spare}, 0.2));
        operands.push_back(cases.random({1, out, 0}, 1));
        operands.push_back(cases.random({out, s.rank, s.spare}, 0.2));
        operands.push_back(cases.random({1, s.rank, 0}, 1));
    }
    const std::size_t numLinears = s.outs.size();
    const auto inputOf = [norm = s.norm, addsOne = s.addsOne](const std::vector<Matrix>& m) {
        return RowInput{m[0], {norm ? m[1].data : nullptr, addsOne}, kEps};
    };
    const auto linearsOf = [numLinears](const std::vector<Matrix>& m) {
        std::vector<RowLinear> linears;
        for (std::size_t i = 0; i < numLinears; ++i) {
            const Matrix* own = &m[4 + 4 * i];
            linears.push_back({own[0]});
            if (i % 2 == 0) linears.back().bias = own[1].data;
            if (i == 0 && numLinears > 1) continue;
            linears.back().b = own[2];
            linears.back().product = own[3].data;
            linears.back().scale = 0.5;
        }
        return linears;
    };
    for (const bool withResidual : {false, true})
        cases.add((withResidual ? "rowProduct with residual" : "rowProduct") + name, 4, operands,
                  [inputOf, linearsOf, withResidual](const Target& target, const std::vector<Matrix>& m) {
                      rowProduct(target, inputOf(m), linearsOf(m), withResidual ? &m[2] : nullptr, m[3]);
                  });
    if (numLinears != 2 || s.outs[0] != s.outs[1]) return;
    operands[3] = Cases::output({1, s.outs[0], 0});
    for (const Activation activation : {Activation::kSilu, Activation::kGeluTanh})
        cases.add("rowGlu of " + nameOf(activation) + name, 6, operands,
                  [inputOf, linearsOf, activation](const Target& target, const std::vector<Matrix>& m) {
                      const std::vector<RowLinear> linears = linearsOf(m);
                      rowGlu(target, activation, inputOf(m), linears[0], linears[1], m[3]);
                  });
}

void addRowProducts(Cases& cases) {
    for (const auto& [norm, addsOne] : kNorms)
        for (const RowSize& size :
             {RowSize{9, {5}, 2, 3, norm, addsOne}, RowSize{127, {33, 7, 21}, 0, 4, norm, addsOne},
              RowSize{1024, {48, 48}, 64, 40, norm, addsOne}, RowSize{2056, {70, 70}, 0, 8, norm, addsOne},
              RowSize{4096, {40, 16, 16}, 0, 32, norm, addsOne}})
            addRowProduct(cases, size);
}

void addNextToken(Cases& cases) {
    for (const Size size : {Size{1, 17, 1}, Size{1, 4099, 0}, Size{1, 32000, 0}}) {
        CaseOperand logits = cases.random(size, 10);
        logits.values[static_cast<std::size_t>(size.cols / 3)] = 11; // twice: the first counts
        logits.values[static_cast<std::size_t>(size.cols / 2)] = 11;
        cases.add("nextToken" + size.name(), 0,
                  {logits, Cases::changed(Cases::integers({3})), Cases::changed(Cases::integers({41}))},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      nextToken(target, m[0], static_cast<int32_t*>(m[1].data), static_cast<int32_t*>(m[2].data));
                  });
    }
}

} // namespace

void addAnswers(Cases& cases) {
    addCachedHeads(cases);
    addRowProducts(cases);
    addNextToken(cases);
}

} // namespace roundpipe::kernels
