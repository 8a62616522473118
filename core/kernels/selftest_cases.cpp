// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest_cases.h"

#include "base/fp8.h"
#include "base/mxfp4.h"
#include "base/nf4.h"
#include "kernels/packing.h"
#include "kernels/random.h"
#include "kernels/scalar.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roundpipe::kernels {

namespace {

constexpr double kEps = 1e-6;

struct Size {
    int64_t rows, cols, spare; // spare: elements between rows

    std::string name() const {
        return " " + std::to_string(rows) + "x" + std::to_string(cols) + (spare > 0 ? "+" + std::to_string(spare) : "");
    }
};

// Collects the cases of one type and draws their inputs.
class Cases {
public:
    Cases(DType dtype, uint64_t seed) : m_dtype(dtype), m_seed(seed) {}

    std::vector<Case> take() { return std::move(m_cases); }

    CaseOperand output(Size size, OperandKind kind = OperandKind::kStorage) {
        CaseOperand operand;
        operand.role = OperandRole::kOutput;
        operand.kind = kind;
        operand.rows = size.rows;
        operand.cols = size.cols;
        operand.pitch = size.cols + size.spare;
        return operand;
    }

    // Uniform in [-scale, scale), rounded to the operand's type.
    CaseOperand random(Size size, double scale, OperandKind kind = OperandKind::kStorage, DType other = DType::kF32) {
        CaseOperand operand = output(size, kind);
        operand.role = OperandRole::kInput;
        operand.dtype = other;
        ++m_stream;
        const auto count = static_cast<std::size_t>(size.rows * size.cols);
        for (std::size_t i = 0; i < count; ++i)
            operand.values.push_back(scale *
                                     (2.0 * static_cast<double>(uniform(philox(m_seed, i, m_stream).values[0])) - 1.0));
        return rounded(operand);
    }

    CaseOperand integers(std::vector<int64_t> values, OperandKind kind = OperandKind::kInt32) {
        CaseOperand operand = output({1, static_cast<int64_t>(values.size()), 0}, kind);
        operand.role = OperandRole::kInput;
        operand.integers = std::move(values);
        return operand;
    }

    CaseOperand given(Size size, std::vector<double> values, OperandKind kind = OperandKind::kStorage) {
        CaseOperand operand = output(size, kind);
        operand.role = OperandRole::kInput;
        operand.values = std::move(values);
        return rounded(operand);
    }

    static CaseOperand changed(CaseOperand operand) {
        operand.role = OperandRole::kInOut;
        return operand;
    }

    void add(std::string name, double roundings, std::vector<CaseOperand> operands, Call call) {
        m_cases.push_back({std::move(name), std::move(operands), std::move(call), roundings});
    }

private:
    CaseOperand rounded(CaseOperand operand) const {
        visitFloating(typeOf(operand, m_dtype), [&]<class T>(T) {
            for (double& value : operand.values)
                value = static_cast<double>(widen(narrow<T>(static_cast<Statistic<T>>(value))));
        });
        return operand;
    }

    DType m_dtype;
    uint64_t m_seed;
    uint64_t m_stream = 0;
    std::vector<Case> m_cases;
};

const Size kPlainSizes[] = {{2, 9, 0}, {3, 127, 2}, {37, 1024, 0}, {5, 4096, 64}, {64, 32, 0}};

// Whether there is a norm, and whether it adds one to its weight.
constexpr std::pair<bool, bool> kNorms[] = {{false, false}, {true, false}, {true, true}};

std::string wordsOf(bool norm, bool addsOne) {
    if (!norm) return "";
    return addsOne ? " with norm of 1 + w" : " with norm";
}

std::string nameOf(Activation activation) {
    return activation == Activation::kSilu ? "SiLU" : "GELU";
}

void addGlu(Cases& cases, Activation activation, const Size& size) {
    const std::string name = " of " + nameOf(activation) + size.name();
    cases.add("glu" + name, 2, {cases.random(size, 8), cases.random(size, 2), cases.output(size)},
              [activation](const Target& target, const std::vector<Matrix>& m) {
                  glu(target, activation, m[0], m[1], m[2]);
              });
    for (const bool withAct : {false, true}) {
        std::vector<CaseOperand> operands = {cases.random(size, 1), cases.random(size, 8), cases.random(size, 2),
                                             cases.output(size), cases.output(size)};
        if (withAct) operands.push_back(cases.output(size));
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

void addElementwise(Cases& cases) {
    for (const Size size : kPlainSizes) {
        const std::string name = size.name();
        const Size table{50, size.cols, size.spare}, vector{1, size.cols, 0};
        std::vector<int64_t> ids, repeated; // of few rows, and some of none
        for (int64_t t = 0; t < size.rows; ++t) {
            ids.push_back(t * 7 % 50);
            repeated.push_back(t * t % 9 == 1 ? -1 : t * t % 11);
        }
        cases.add("embed" + name, 0, {cases.random(table, 1), cases.integers(ids), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      embed(target, m[0], static_cast<const int32_t*>(m[1].data), m[2]);
                  });
        cases.add("embedGradient" + name, 2,
                  {cases.random(size, 1), cases.integers(repeated),
                   Cases::changed(cases.random(table, 1, OperandKind::kStatistic))},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      embedGradient(target, m[0], static_cast<const int32_t*>(m[1].data), m[2]);
                  });
        cases.add("sigmoid" + name, 2, {cases.random(size, 8), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) { sigmoid(target, m[0], m[1]); });
        cases.add(
            "sigmoidBackward" + name, 2, {cases.random(size, 1), cases.random(size, 1), cases.output(size)},
            [](const Target& target, const std::vector<Matrix>& m) { sigmoidBackward(target, m[0], m[1], m[2]); });
        for (const Activation activation : {Activation::kSilu, Activation::kGeluTanh})
            addGlu(cases, activation, size);
        cases.add("add" + name, 1, {cases.random(size, 1), cases.random(size, 1), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) { add(target, m[0], m[1], m[2]); });
        cases.add("addBias" + name, 1, {Cases::changed(cases.random(size, 1)), cases.random(vector, 1)},
                  [](const Target& target, const std::vector<Matrix>& m) { addBias(target, m[0], m[1].data); });
    }
}

void addConversions(Cases& cases) {
    for (const DType other : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16}) {
        for (const Size size : {Size{3, 127, 2}, Size{9, 512, 0}}) {
            const std::string name = std::string(" ") + toString(other) + size.name();
            CaseOperand out = cases.output(size, OperandKind::kOther);
            out.dtype = other;
            cases.add("convert to" + name, 2, {cases.random(size, 1), out},
                      [](const Target& target, const std::vector<Matrix>& m) { convert(target, m[0], 0.7, m[1]); });
            cases.add("accumulate from" + name, 2,
                      {cases.random(size, 1, OperandKind::kOther, other), Cases::changed(cases.random(size, 1))},
                      [](const Target& target, const std::vector<Matrix>& m) { accumulate(target, m[0], 0.7, m[1]); });
        }
    }
}

void addNorm(Cases& cases, const Size& size, bool addsOne) {
    const std::string name = (addsOne ? " of 1 + w" : "") + size.name();
    const Size vector{1, size.cols, 0}, perRow{1, size.rows, 0};
    cases.add("rmsNorm" + name, 3,
              {cases.random(size, 3), cases.random(vector, 2), cases.output(size),
               cases.output(perRow, OperandKind::kStatistic)},
              [addsOne](const Target& target, const std::vector<Matrix>& m) {
                  rmsNorm(target, m[0], {m[1].data, addsOne}, kEps, m[2], m[3].data);
              });
    for (const bool withResidual : {false, true}) {
        // rstd needs not fit x here: the formula is the same for any.
        std::vector<CaseOperand> operands = {cases.random(size, 1), cases.random(size, 3), cases.random(vector, 2),
                                             cases.random(perRow, 1, OperandKind::kStatistic), cases.output(size)};
        if (withResidual) operands.push_back(cases.random(size, 1));
        cases.add((withResidual ? "rmsNormBackward with residual" : "rmsNormBackward") + name, 4, operands,
                  [withResidual, addsOne](const Target& target, const std::vector<Matrix>& m) {
                      rmsNormBackward(target, m[0], m[1], {m[2].data, addsOne}, m[3].data,
                                      withResidual ? &m[5] : nullptr, m[4]);
                  });
    }
}

void addNorms(Cases& cases) {
    for (const Size& size : kPlainSizes)
        for (const bool addsOne : {false, true})
            addNorm(cases, size, addsOne);
}

constexpr int64_t kParts = 5; // rows are cut into, where they are summed

CaseOperand partsOf(Cases& cases, int64_t cols) {
    CaseOperand parts = cases.output({kParts, cols, 0}, OperandKind::kStatistic);
    parts.role = OperandRole::kScratch;
    return parts;
}

void addColumnSumCases(Cases& cases) {
    for (const Size size : {Size{2, 9, 0}, Size{37, 127, 2}, Size{301, 96, 0}, Size{5, 4096, 64}}) {
        const Size vector{1, size.cols, 0}, perRow{1, size.rows, 0};
        const CaseOperand sums = Cases::changed(cases.random(vector, 1, OperandKind::kStatistic));
        cases.add(
            "addColumnSums" + size.name(), 4, {cases.random(size, 1), partsOf(cases, size.cols), sums},
            [](const Target& target, const std::vector<Matrix>& m) { addColumnSums(target, m[0], m[1], m[2].data); });
        cases.add("rmsNormWeightGradient" + size.name(), 4,
                  {cases.random(size, 1), cases.random(size, 3), cases.random(perRow, 1, OperandKind::kStatistic),
                   partsOf(cases, size.cols), sums},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      rmsNormWeightGradient(target, m[0], m[1], m[2].data, m[3], m[4].data);
                  });
    }
}

struct HeadSize {
    int64_t tokens, heads, headDim, half, spare;
};

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
                  {cases.integers(positions), cases.given({1, half, 0}, frequencies, OperandKind::kTotal),
                   cases.output(table, OperandKind::kStatistic)},
                  [half](const Target& target, const std::vector<Matrix>& m) {
                      rotaryTable(target, static_cast<const int32_t*>(m[0].data), static_cast<const double*>(m[1].data),
                                  half, 1.25, m[2]);
                  });
        cases.add("headNormWeightGradient" + size.name() + " heads of " + std::to_string(s.headDim), 4,
                  {cases.random(size, 1), cases.random(size, 3), cases.random(perHead, 1, OperandKind::kStatistic),
                   cases.random(table, 1, OperandKind::kStatistic), partsOf(cases, s.headDim),
                   Cases::changed(cases.random(weight, 1, OperandKind::kStatistic))},
                  [heads](const Target& target, const std::vector<Matrix>& m) {
                      headNormWeightGradient(target, m[0], m[1], heads, m[2].data, m[3], m[4], m[5].data);
                  });
        for (const auto& [norm, addsOne] : kNorms) {
            const std::string name = wordsOf(norm, addsOne) + size.name() + " heads of " + std::to_string(s.headDim);
            std::vector<CaseOperand> operands = {cases.random(size, 3), cases.random(weight, 2),
                                                 cases.random(table, 1, OperandKind::kStatistic), cases.output(size)};
            if (norm) operands.push_back(cases.output(perHead, OperandKind::kStatistic));
            cases.add("headNormRotary" + name, 4, operands,
                      [norm, addsOne, heads](const Target& target, const std::vector<Matrix>& m) {
                          headNormRotary(target, m[0], heads, {norm ? m[1].data : nullptr, addsOne}, kEps, m[2], m[3],
                                         norm ? m[4].data : nullptr);
                      });
            cases.add("headNormRotaryBackward" + name, 4,
                      {cases.random(size, 1), cases.random(size, 3), cases.random(weight, 2),
                       cases.random(perHead, 1, OperandKind::kStatistic),
                       cases.random(table, 1, OperandKind::kStatistic), cases.output(size)},
                      [norm, addsOne, heads](const Target& target, const std::vector<Matrix>& m) {
                          headNormRotaryBackward(target, m[0], m[1], heads, {norm ? m[2].data : nullptr, addsOne},
                                                 m[3].data, m[4], m[5]);
                      });
        }
    }
}

struct AttentionSize {
    std::vector<int64_t> starts;
    int64_t heads, kvHeads, headDim, window, spare;
};

void addAttention(Cases& cases, const AttentionSize& s) {
    AttentionShape shape;
    shape.numSequences = static_cast<int64_t>(s.starts.size()) - 1;
    for (std::size_t i = 0; i + 1 < s.starts.size(); ++i)
        shape.maxLength = std::max(shape.maxLength, s.starts[i + 1] - s.starts[i]);
    shape.numHeads = s.heads;
    shape.numKvHeads = s.kvHeads;
    shape.headDim = s.headDim;
    shape.window = s.window;
    shape.scale = 1 / std::sqrt(static_cast<double>(s.headDim));
    const int64_t tokens = s.starts.back();
    const Size wide{tokens, s.heads * s.headDim, s.spare}, thin{tokens, s.kvHeads * s.headDim, s.spare};
    const Size statistics{s.heads, tokens, 0};
    const std::string name = wide.name() + " heads " + std::to_string(s.heads) + "/" + std::to_string(s.kvHeads) +
                             (s.window > 0 ? " window " + std::to_string(s.window) : "");
    const CaseOperand q = cases.random(wide, 2), k = cases.random(thin, 2), v = cases.random(thin, 1);

    const Case forward{
        "attention" + name,
        {cases.integers(s.starts), q, k, v, cases.output(wide), cases.output(statistics, OperandKind::kStatistic)},
        [shape](const Target& target, const std::vector<Matrix>& m) {
            attention(target, shape, static_cast<const int32_t*>(m[0].data), m[1], m[2], m[3], m[4], m[5].data);
        },
        4};
    cases.add(forward.name, forward.roundings, forward.operands, forward.call);

    const std::vector<std::vector<double>> results = runCase(forward, DType::kF64, -1);
    CaseOperand scratch = cases.output(statistics, OperandKind::kStatistic);
    scratch.role = OperandRole::kScratch;
    cases.add("attentionBackward" + name, 8,
              {cases.integers(s.starts), q, k, v, cases.given(wide, results[4]),
               cases.given(statistics, results[5], OperandKind::kStatistic), cases.random(wide, 1), cases.output(wide),
               cases.output(thin), cases.output(thin), scratch},
              [shape](const Target& target, const std::vector<Matrix>& m) {
                  attentionBackward(target, shape, static_cast<const int32_t*>(m[0].data), m[1], m[2], m[3], m[4],
                                    m[5].data, m[6], m[7], m[8], m[9], m[10].data);
              });

    for (const int64_t numNew : {1, 3, 20}) { // a token of an answer, few, and a piece of a prompt
        if (numNew > tokens) continue;
        const int64_t first = (tokens - numNew + 1) / 2 + 1; // what lies beyond in the cache is not of the text
        std::vector<int64_t> positions;
        for (int64_t i = 0; i < numNew; ++i)
            positions.push_back(std::min(first, tokens - numNew) + i);
        cases.add("attentionCached" + name + ", " + std::to_string(numNew) + " new", 4,
                  {cases.integers(positions), cases.random({numNew, wide.cols, s.spare}, 2), k, v,
                   cases.output({numNew, wide.cols, s.spare}),
                   cases.output({s.heads, numNew, 0}, OperandKind::kStatistic)},
                  [shape](const Target& target, const std::vector<Matrix>& m) {
                      attentionCached(target, shape, static_cast<const int32_t*>(m[0].data), m[1], m[2], m[3], m[4],
                                      m[5].data);
                  });
    }
    for (const bool byToken : {false, true}) {
        const Size laid = byToken ? Size{tokens, s.heads, 0} : statistics;
        cases.add((byToken ? "addSinks by token" : "addSinks") + name, 4,
                  {cases.random({1, s.heads, 0}, 4), Cases::changed(cases.random(laid, 4, OperandKind::kStatistic)),
                   Cases::changed(cases.random(wide, 1))},
                  [byToken, heads = s.heads](const Target& target, const std::vector<Matrix>& m) {
                      addSinks(target, m[0].data, heads, byToken, m[1].data, m[2]);
                  });
    }
}

void addAttentions(Cases& cases) {
    for (const AttentionSize& size :
         {AttentionSize{{0, 1, 41}, 1, 1, 8, 0, 0}, AttentionSize{{0, 33, 33, 34, 100}, 4, 2, 20, 0, 3},
          AttentionSize{{0, 130}, 3, 1, 64, 40, 0}, AttentionSize{{0, 70, 90}, 2, 2, 128, 7, 8},
          AttentionSize{{0, 50}, 2, 1, 256, 0, 0}})
        addAttention(cases, size);
}

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
                {cases.random(all, 3), cases.integers(positions), cases.random({1, s.headDim, 0}, 2),
                 cases.random({1, s.headDim, 0}, 2), cases.output({s.tokens, s.heads * s.headDim, s.spare}),
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
                                         cases.random({1, numColumns, 0}, 1), cases.output({1, numColumns, 0})};
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
    operands[3] = cases.output({1, s.outs[0], 0});
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
                  {logits, Cases::changed(cases.integers({3})), Cases::changed(cases.integers({41}))},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      nextToken(target, m[0], static_cast<int32_t*>(m[1].data), static_cast<int32_t*>(m[2].data));
                  });
    }
}

void addSequenceOffsets(Cases& cases) {
    for (const SequenceRange range : {SequenceRange{5, 0, 8}, SequenceRange{5, 3, 2}, SequenceRange{5, 4, 300}})
        cases.add("sequenceOffsets " + std::to_string(range.first) + "+" + std::to_string(range.count), 0,
                  {cases.integers({0, 7, 7, 40, 41, 99}), cases.output({7, range.count + 1, 0}, OperandKind::kInt32)},
                  [range](const Target& target, const std::vector<Matrix>& m) {
                      sequenceOffsets(target, static_cast<const int32_t*>(m[0].data), range,
                                      {4096, 1024, 6144, 512, 32, 128}, static_cast<int32_t*>(m[1].data));
                  });
}

// The bits of what a kernel reads whatever its type, as an operand of whole numbers.
template <class T>
CaseOperand bitsOf(Cases& cases, const std::vector<T>& values) {
    constexpr std::size_t kWord = sizeof(int32_t);
    const std::size_t bytes = values.size() * sizeof(T);
    std::vector<int64_t> words((bytes + kWord - 1) / kWord);
    for (std::size_t w = 0; w < words.size(); ++w) {
        int32_t word = 0;
        std::memcpy(&word, reinterpret_cast<const std::byte*>(values.data()) + kWord * w,
                    std::min(kWord, bytes - kWord * w));
        words[w] = word;
    }
    return cases.integers(std::move(words));
}

// Blocks of 64 that end within rows and with them; an odd number of values.
void addUnpacking(Cases& cases) {
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
                  {bitsOf(cases, codes), bitsOf(cases, magnitudeCodes), bitsOf(cases, scales), bitsOf(cases, mean),
                   cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackNf4(target,
                                {static_cast<const uint8_t*>(m[0].data), static_cast<const uint8_t*>(m[1].data),
                                 static_cast<const float*>(m[2].data), static_cast<const float*>(m[3].data)},
                                m[4]);
                  });
        std::vector<uint8_t> exponents(static_cast<std::size_t>(numMxfp4Groups(count)));
        packMxfp4Values(values.data(), count, codes.data(), exponents.data());
        cases.add("unpackMxfp4" + name, 1, {bitsOf(cases, codes), bitsOf(cases, exponents), cases.output(size)},
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
        cases.add("unpackInt8" + name, 1, {bitsOf(cases, rows), bitsOf(cases, scales), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackInt8(target, static_cast<const int8_t*>(m[0].data), static_cast<const float*>(m[1].data),
                                 m[2]);
                  });
        for (int64_t row = 0; row < size.rows; ++row)
            packFp8Row(values.data() + row * size.cols, size.cols, rows.data() + row * size.cols,
                       &scales[static_cast<std::size_t>(row)]);
        cases.add("unpackFp8" + name, 1, {bitsOf(cases, rows), bitsOf(cases, scales), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      unpackFp8(target, static_cast<const uint8_t*>(m[0].data), static_cast<const float*>(m[1].data),
                                m[2]);
                  });
    }
}

// Bytes of words, as whole numbers.
CaseOperand codesOut(Cases& cases, int64_t count) {
    constexpr int64_t kWord = sizeof(int32_t);
    return cases.output({1, count / kWord, 0}, OperandKind::kInt32);
}

// fp32 whatever type is tested.
CaseOperand floats(Cases& cases, int64_t count, double scale) {
    const CaseOperand drawn = cases.random({1, count, 0}, scale, OperandKind::kOther);
    return bitsOf(cases, std::vector<float>(drawn.values.begin(), drawn.values.end()));
}

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
                       codesOut(cases, size.rows * size.cols), cases.output({1, size.rows, 0}, OperandKind::kInt32)},
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
        cases.add("transposeCodes" + size.name(), 0, {bitsOf(cases, codes), codesOut(cases, std::ssize(codes))},
                  [size](const Target& target, const std::vector<Matrix>& m) {
                      transposeCodes(target, static_cast<const uint8_t*>(m[0].data), size.rows, size.cols,
                                     static_cast<uint8_t*>(m[1].data));
                  });
    }
}

void addLosses(Cases& cases) {
    for (const Size size : {Size{5, 17, 1}, Size{4, 4099, 0}, Size{3, 32000, 32}, Size{6, 256, 0}}) {
        std::vector<int64_t> labels;
        for (int64_t t = 0; t < size.rows; ++t)
            labels.push_back(t == 1 ? -100 : t * 7919 % size.cols);
        for (const double scale : {0.0, 0.125})
            cases.add((scale > 0 ? "crossEntropy with gradient" : "crossEntropy") + size.name(), 2,
                      {Cases::changed(cases.random(size, 10)), cases.integers(labels),
                       cases.output({1, size.rows, 0}, OperandKind::kStatistic)},
                      [scale](const Target& target, const std::vector<Matrix>& m) {
                          crossEntropy(target, m[0], static_cast<const int32_t*>(m[1].data), scale, m[2].data);
                      });
    }
    for (const int64_t count : {1, 511, 10007})
        cases.add("sumInto " + std::to_string(count), 1,
                  {cases.random({1, count, 0}, 1, OperandKind::kStatistic),
                   Cases::changed(cases.random({1, 1, 0}, 1, OperandKind::kTotal))},
                  [count](const Target& target, const std::vector<Matrix>& m) {
                      sumInto(target, m[0].data, m[0].dtype, count, static_cast<double*>(m[1].data));
                  });
}

struct ExpertsSize {
    int64_t tokens, experts, perToken, cols, spare;
};

// Choices of tokens and what follows from them, as operands; the last expert has no token where there is a choice.
class RoutingOperands {
public:
    explicit RoutingOperands(const ExpertsSize& size)
        : m_size(size), m_starts(static_cast<std::size_t>(size.experts) + 1) {
        const int64_t used = std::max(size.perToken, size.experts - 1);
        for (int64_t t = 0; t < size.tokens; ++t) {
            std::vector<int64_t> chosen;
            for (int64_t a = 0; a < size.perToken; ++a)
                chosen.push_back((t * 7 + a) % used);
            std::ranges::sort(chosen);
            m_choices.insert(m_choices.end(), chosen.begin(), chosen.end());
        }
        m_rows.resize(m_choices.size());
        for (int64_t e = 0; e < size.experts; ++e) {
            for (std::size_t i = 0; i < m_choices.size(); ++i) {
                if (m_choices[i] != e) continue;
                m_rows[i] = static_cast<int64_t>(m_sources.size());
                m_sources.push_back(static_cast<int64_t>(i));
            }
            m_starts[static_cast<std::size_t>(e) + 1] = static_cast<int64_t>(m_sources.size());
        }
    }

    // They come first, and routing() takes them from there.
    std::vector<CaseOperand> operands(Cases& cases) const {
        return {cases.integers(m_choices), cases.integers(m_starts), cases.integers(m_rows), cases.integers(m_sources)};
    }
    static Routing routing(const ExpertsSize& size, const std::vector<Matrix>& m) {
        const auto numbers = [&](std::size_t i) { return static_cast<int32_t*>(m[i].data); };
        return {size.tokens, size.experts, size.perToken, numbers(0), numbers(1), numbers(2), numbers(3)};
    }

    // The same for what takes a routing without numbers where there is one expert.
    static Routing ofRows(const ExpertsSize& size, const std::vector<Matrix>& m) {
        return size.experts == 1 ? Routing{size.tokens, 1, 1} : routing(size, m);
    }

private:
    ExpertsSize m_size;
    std::vector<int64_t> m_choices, m_starts, m_rows, m_sources;
};

void addRouting(Cases& cases, const ExpertsSize& s) {
    const std::string name =
        " " + std::to_string(s.tokens) + ": " + std::to_string(s.perToken) + " of " + std::to_string(s.experts);
    const Size logits{s.tokens, s.experts, s.spare}, chosen{s.tokens, s.perToken, 0};
    const RoutingOperands given(s);
    for (const bool normalised : {false, true}) {
        const std::string how = normalised ? " normalised" : "";
        std::vector<CaseOperand> choosing = given.operands(cases);
        choosing[0] = cases.output({1, s.tokens * s.perToken, 0}, OperandKind::kInt32);
        choosing.push_back(cases.random(logits, 4));
        choosing.push_back(cases.output(logits, OperandKind::kStatistic));
        choosing.push_back(cases.output(chosen));
        cases.add("chooseExperts" + how + name, 3, choosing,
                  [s, normalised](const Target& target, const std::vector<Matrix>& m) {
                      chooseExperts(target, m[4], normalised, m[5], RoutingOperands::routing(s, m), m[6]);
                  });
        std::vector<CaseOperand> backward = given.operands(cases);
        std::vector<double> probabilities(static_cast<std::size_t>(s.tokens * s.experts));
        for (std::size_t i = 0; i < probabilities.size(); ++i)
            probabilities[i] = static_cast<double>(i * 13 % 11 + 1) / (6.0 * static_cast<double>(s.experts));
        backward.push_back(cases.given(logits, probabilities, OperandKind::kStatistic));
        backward.push_back(cases.random(chosen, 1));
        backward.push_back(cases.output(logits));
        cases.add("chooseExpertsBackward" + how + name, 4, backward,
                  [s, normalised](const Target& target, const std::vector<Matrix>& m) {
                      chooseExpertsBackward(target, m[4], RoutingOperands::routing(s, m), normalised, m[5], m[6]);
                  });
    }
    std::vector<CaseOperand> sorting = given.operands(cases);
    for (std::size_t i = 1; i < sorting.size(); ++i)
        sorting[i] = cases.output({1, sorting[i].cols, 0}, OperandKind::kInt32);
    cases.add("sortByExpert" + name, 0, sorting, [s](const Target& target, const std::vector<Matrix>& m) {
        sortByExpert(target, RoutingOperands::routing(s, m));
    });
}

void addRoutedRows(Cases& cases, const ExpertsSize& s) {
    const std::string name = " " + std::to_string(s.tokens) + ": " + std::to_string(s.perToken) + " of " +
                             std::to_string(s.experts) + " x" + std::to_string(s.cols);
    const Size tokens{s.tokens, s.cols, s.spare}, routed{s.tokens * s.perToken, s.cols, s.spare};
    const Size chosen{s.tokens, s.perToken, 0};
    const auto with = [&](std::vector<CaseOperand> more) {
        std::vector<CaseOperand> operands = RoutingOperands(s).operands(cases);
        operands.insert(operands.end(), more.begin(), more.end());
        return operands;
    };
    const auto weights = [&] { return cases.random(chosen, 1); };
    cases.add("gatherRows" + name, 0, with({cases.random(tokens, 1), cases.output(routed)}),
              [s](const Target& target, const std::vector<Matrix>& m) {
                  gatherRows(target, m[4], RoutingOperands::routing(s, m), m[5]);
              });
    for (const bool weighted : {false, true})
        cases.add((weighted ? "combineRows weighted" : "combineRows") + name, 2,
                  with({cases.random(tokens, 1), cases.random(routed, 1), weights(), cases.output(tokens)}),
                  [s, weighted](const Target& target, const std::vector<Matrix>& m) {
                      combineRows(target, weighted ? &m[4] : nullptr, m[5], RoutingOperands::ofRows(s, m),
                                  weighted ? &m[6] : nullptr, m[7]);
                  });
    cases.add("scaleRows" + name, 1, with({Cases::changed(cases.random(routed, 1)), weights()}),
              [s](const Target& target, const std::vector<Matrix>& m) {
                  scaleRows(target, m[4], RoutingOperands::ofRows(s, m), m[5]);
              });
    for (const bool withAct : {false, true})
        cases.add((withAct ? "expertSwiGluBackward with product" : "expertSwiGluBackward") + name, 6,
                  with({Cases::changed(cases.random(routed, 1)), Cases::changed(cases.random(routed, 4)),
                        Cases::changed(cases.random(routed, 2)), weights(), cases.output(chosen)}),
                  [s, withAct](const Target& target, const std::vector<Matrix>& m) {
                      expertSwiGluBackward(target, m[4], m[5], m[6], RoutingOperands::ofRows(s, m), m[7], m[5], m[6],
                                           withAct ? &m[4] : nullptr, m[8]);
                  });
}

// Some gates and ups lie beyond the limit.
void addClampedExperts(Cases& cases, const ExpertsSize& s) {
    static constexpr ClampedGate kGate{1.702, 7};
    const std::string name = " " + std::to_string(s.tokens) + ": " + std::to_string(s.perToken) + " of " +
                             std::to_string(s.experts) + " x" + std::to_string(s.cols);
    const Size acts{s.tokens * s.perToken, s.cols, s.spare}, pairs{acts.rows, 2 * s.cols, 2 * s.spare};
    const Size chosen{s.tokens, s.perToken, 0}, biases{s.experts, s.cols, s.spare};
    const auto with = [&](std::vector<CaseOperand> more) {
        std::vector<CaseOperand> operands = RoutingOperands(s).operands(cases);
        operands.insert(operands.end(), more.begin(), more.end());
        return operands;
    };
    cases.add("addExpertBias" + name, 1, with({Cases::changed(cases.random(acts, 1)), cases.random(biases, 1)}),
              [s](const Target& target, const std::vector<Matrix>& m) {
                  addExpertBias(target, m[4], RoutingOperands::routing(s, m), m[5]);
              });
    cases.add("clampedGlu" + name, 3, {cases.random(pairs, 9), cases.output(acts)},
              [](const Target& target, const std::vector<Matrix>& m) { clampedGlu(target, kGate, m[0], m[1]); });
    for (const bool withAct : {false, true})
        cases.add((withAct ? "expertClampedGluBackward with product" : "expertClampedGluBackward") + name, 8,
                  with({Cases::changed(cases.random(acts, 1)), Cases::changed(cases.random(pairs, 9)),
                        cases.random(chosen, 1), cases.random(acts, 1), cases.random(biases, 1), cases.output(chosen)}),
                  [s, withAct](const Target& target, const std::vector<Matrix>& m) {
                      expertClampedGluBackward(target, kGate, m[4], m[5], RoutingOperands::routing(s, m), m[6], m[7],
                                               m[8], m[5], withAct ? &m[4] : nullptr, m[9]);
                  });
}

// Products of a run of experts that leaves out the first one, where there are several.
void addExpertProducts(Cases& cases, const ExpertsSize& s, int64_t out) {
    const int64_t first = s.experts > 1 ? 1 : 0, count = s.experts - first, rows = s.tokens * s.perToken;
    const std::string name = " " + std::to_string(s.tokens) + ": " + std::to_string(s.perToken) + " of " +
                             std::to_string(s.experts) + ", " + std::to_string(s.cols) + " to " + std::to_string(out);
    const Size input{rows, s.cols, s.spare}, result{rows, out, s.spare};
    const auto runOf = [=](const Matrix& all, int64_t rowsOfOne) {
        return ExpertRun{rowsOf(all, 0, rowsOfOne), rowsOfOne * all.pitch, first, count};
    };
    for (const bool transposed : {false, true})
        for (const bool adds : {false, true}) {
            const int64_t weightRows = transposed ? out : s.cols, weightCols = transposed ? s.cols : out;
            std::vector<CaseOperand> operands = RoutingOperands(s).operands(cases);
            operands.push_back(cases.random(input, 1));
            operands.push_back(cases.random({count * weightRows, weightCols, s.spare}, 0.2));
            operands.push_back(Cases::changed(cases.random(result, 1)));
            cases.add(std::string("expertProduct") + (transposed ? " transposed" : "") + (adds ? " added" : "") + name,
                      4, operands, [=](const Target& target, const std::vector<Matrix>& m) {
                          expertProduct(target, m[4], static_cast<const int32_t*>(m[1].data), runOf(m[5], weightRows),
                                        transposed, 0.7, adds, m[6]);
                      });
        }
    for (const bool adds : {false, true}) {
        std::vector<CaseOperand> operands = RoutingOperands(s).operands(cases);
        operands.push_back(cases.random(input, 1));
        operands.push_back(cases.random(result, 1));
        operands.push_back(Cases::changed(cases.random({count * s.cols, out, s.spare}, 1, OperandKind::kStatistic)));
        cases.add((adds ? "expertGradient added" : "expertGradient") + name, 8, operands,
                  [=](const Target& target, const std::vector<Matrix>& m) {
                      expertGradient(target, m[4], m[5], static_cast<const int32_t*>(m[1].data), 0.7, adds,
                                     runOf(m[6], s.cols));
                  });
    }
}

void addExperts(Cases& cases) {
    for (const ExpertsSize& size :
         {ExpertsSize{9, 1, 1, 16, 0}, ExpertsSize{5, 4, 4, 33, 2}, ExpertsSize{37, 16, 2, 64, 0},
          ExpertsSize{40, 128, 8, 256, 8}, ExpertsSize{300, 200, 6, 24, 0}}) {
        addRouting(cases, size);
        addRoutedRows(cases, size);
        addClampedExperts(cases, size);
    }
    addExpertProducts(cases, {1, 1, 1, 8, 0}, 3);
    addExpertProducts(cases, {5, 4, 3, 33, 2}, 70);
    addExpertProducts(cases, {200, 3, 2, 72, 8}, 136); // one has more than a tile of rows, one none
    addExpertProducts(cases, {17, 40, 4, 16, 0}, 264);
    addExpertProducts(cases, {150, 5, 2, 328, 8}, 520); // several tiles each way, with a rest, and steps of them
}

// Inputs stay away from zero, so that one differing bit of the mask is an error far beyond the tolerance.
void addDropout(Cases& cases) {
    const std::vector<int64_t> starts = {0, 4, 4, 9, 40}, examples = {12, 99, int64_t{1} << 40, 3};
    std::vector<int64_t> positions, keys;
    for (int64_t t = 0; t < 40; ++t) {
        positions.push_back(t % 7);
        keys.push_back(static_cast<int64_t>(mixKey(static_cast<uint64_t>(t), 1, 2, 3)));
    }
    cases.add("makeRowKeys", 0,
              {cases.integers(examples, OperandKind::kInt64), cases.integers(starts), cases.integers(positions),
               cases.output({1, 40, 0}, OperandKind::kInt64)},
              [](const Target& target, const std::vector<Matrix>& m) {
                  makeRowKeys(target, 7, 123456789012, static_cast<const int64_t*>(m[0].data),
                              static_cast<const int32_t*>(m[1].data), 4, static_cast<const int32_t*>(m[2].data), 40,
                              static_cast<uint64_t*>(m[3].data));
              });
    for (const Size size : {Size{40, 1, 0}, Size{40, 127, 2}, Size{40, 256, 0}}) {
        CaseOperand x = cases.random(size, 1);
        std::vector<double> values = x.values;
        for (double& value : values)
            value = value < 0 ? value - 0.5 : value + 0.5;
        cases.add("dropout" + size.name(), 1,
                  {cases.given(size, values), cases.integers(keys, OperandKind::kInt64), cases.output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      dropout(target, m[0], static_cast<const uint64_t*>(m[1].data), 0xABCDEF, 0.3, m[2]);
                  });
    }
}

} // namespace

std::vector<Case> selfTestCases(DType dtype, uint64_t seed) {
    Cases cases(dtype, seed);
    addElementwise(cases);
    addConversions(cases);
    addNorms(cases);
    addColumnSumCases(cases);
    addRotary(cases);
    addAttentions(cases);
    addCachedHeads(cases);
    addRowProducts(cases);
    addNextToken(cases);
    addSequenceOffsets(cases);
    addUnpacking(cases);
    addFp8(cases);
    addExperts(cases);
    addLosses(cases);
    addDropout(cases);
    return cases.take();
}

} // namespace roundpipe::kernels
