// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::kernels {
namespace {

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
        {Cases::integers(s.starts), q, k, v, Cases::output(wide), Cases::output(statistics, OperandKind::kStatistic)},
        [shape](const Target& target, const std::vector<Matrix>& m) {
            attention(target, shape, static_cast<const int32_t*>(m[0].data), m[1], m[2], m[3], m[4], m[5].data);
        },
        4};
    cases.add(forward.name, forward.roundings, forward.operands, forward.call);

    const std::vector<std::vector<double>> results = runCase(forward, DType::kF64, -1);
    CaseOperand scratch = Cases::output(statistics, OperandKind::kStatistic);
    scratch.role = OperandRole::kScratch;
    cases.add("attentionBackward" + name, 8,
              {Cases::integers(s.starts), q, k, v, cases.given(wide, results[4]),
               cases.given(statistics, results[5], OperandKind::kStatistic), cases.random(wide, 1), Cases::output(wide),
               Cases::output(thin), Cases::output(thin), scratch},
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
                  {Cases::integers(positions), cases.random({numNew, wide.cols, s.spare}, 2), k, v,
                   Cases::output({numNew, wide.cols, s.spare}),
                   Cases::output({s.heads, numNew, 0}, OperandKind::kStatistic)},
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

} // namespace

void addAttentions(Cases& cases) {
    for (const AttentionSize& size :
         {AttentionSize{{0, 1, 41}, 1, 1, 8, 0, 0}, AttentionSize{{0, 33, 33, 34, 100}, 4, 2, 20, 0, 3},
          AttentionSize{{0, 130}, 3, 1, 64, 40, 0}, AttentionSize{{0, 70, 90}, 2, 2, 128, 7, 8},
          AttentionSize{{0, 50}, 2, 1, 256, 0, 0}})
        addAttention(cases, size);
}

void addSequenceOffsets(Cases& cases) {
    for (const SequenceRange range : {SequenceRange{5, 0, 8}, SequenceRange{5, 3, 2}, SequenceRange{5, 4, 300}})
        cases.add("sequenceOffsets " + std::to_string(range.first) + "+" + std::to_string(range.count), 0,
                  {Cases::integers({0, 7, 7, 40, 41, 99}), Cases::output({7, range.count + 1, 0}, OperandKind::kInt32)},
                  [range](const Target& target, const std::vector<Matrix>& m) {
                      sequenceOffsets(target, static_cast<const int32_t*>(m[0].data), range,
                                      {4096, 1024, 6144, 512, 32, 128}, static_cast<int32_t*>(m[1].data));
                  });
}

} // namespace roundpipe::kernels
