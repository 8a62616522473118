// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include <algorithm>

namespace roundpipe::kernels {
namespace {

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
    std::vector<CaseOperand> operands() const {
        return {Cases::integers(m_choices), Cases::integers(m_starts), Cases::integers(m_rows),
                Cases::integers(m_sources)};
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
        std::vector<CaseOperand> choosing = given.operands();
        choosing[0] = Cases::output({1, s.tokens * s.perToken, 0}, OperandKind::kInt32);
        choosing.push_back(cases.random(logits, 4));
        choosing.push_back(Cases::output(logits, OperandKind::kStatistic));
        choosing.push_back(Cases::output(chosen));
        cases.add("chooseExperts" + how + name, 3, choosing,
                  [s, normalised](const Target& target, const std::vector<Matrix>& m) {
                      chooseExperts(target, m[4], normalised, m[5], RoutingOperands::routing(s, m), m[6]);
                  });
        std::vector<CaseOperand> backward = given.operands();
        std::vector<double> probabilities(static_cast<std::size_t>(s.tokens * s.experts));
        for (std::size_t i = 0; i < probabilities.size(); ++i)
            probabilities[i] = static_cast<double>(i * 13 % 11 + 1) / (6.0 * static_cast<double>(s.experts));
        backward.push_back(cases.given(logits, probabilities, OperandKind::kStatistic));
        backward.push_back(cases.random(chosen, 1));
        backward.push_back(Cases::output(logits));
        cases.add("chooseExpertsBackward" + how + name, 4, backward,
                  [s, normalised](const Target& target, const std::vector<Matrix>& m) {
                      chooseExpertsBackward(target, m[4], RoutingOperands::routing(s, m), normalised, m[5], m[6]);
                  });
    }
    std::vector<CaseOperand> sorting = given.operands();
    for (std::size_t i = 1; i < sorting.size(); ++i)
        sorting[i] = Cases::output({1, sorting[i].cols, 0}, OperandKind::kInt32);
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
        std::vector<CaseOperand> operands = RoutingOperands(s).operands();
        operands.insert(operands.end(), more.begin(), more.end());
        return operands;
    };
    const auto weights = [&] { return cases.random(chosen, 1); };
    cases.add("gatherRows" + name, 0, with({cases.random(tokens, 1), Cases::output(routed)}),
              [s](const Target& target, const std::vector<Matrix>& m) {
                  gatherRows(target, m[4], RoutingOperands::routing(s, m), m[5]);
              });
    for (const bool weighted : {false, true})
        cases.add((weighted ? "combineRows weighted" : "combineRows") + name, 2,
                  with({cases.random(tokens, 1), cases.random(routed, 1), weights(), Cases::output(tokens)}),
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
                        Cases::changed(cases.random(routed, 2)), weights(), Cases::output(chosen)}),
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
        std::vector<CaseOperand> operands = RoutingOperands(s).operands();
        operands.insert(operands.end(), more.begin(), more.end());
        return operands;
    };
    cases.add("addExpertBias" + name, 1, with({Cases::changed(cases.random(acts, 1)), cases.random(biases, 1)}),
              [s](const Target& target, const std::vector<Matrix>& m) {
                  addExpertBias(target, m[4], RoutingOperands::routing(s, m), m[5]);
              });
    cases.add("clampedGlu" + name, 3, {cases.random(pairs, 9), Cases::output(acts)},
              [](const Target& target, const std::vector<Matrix>& m) { clampedGlu(target, kGate, m[0], m[1]); });
    for (const bool withAct : {false, true})
        cases.add(
            (withAct ? "expertClampedGluBackward with product" : "expertClampedGluBackward") + name, 8,
            with({Cases::changed(cases.random(acts, 1)), Cases::changed(cases.random(pairs, 9)),
                  cases.random(chosen, 1), cases.random(acts, 1), cases.random(biases, 1), Cases::output(chosen)}),
            [s, withAct](const Target& target, const std::vector<Matrix>& m) {
                expertClampedGluBackward(target, kGate, m[4], m[5], RoutingOperands::routing(s, m), m[6], m[7], m[8],
                                         m[5], withAct ? &m[4] : nullptr, m[9]);
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
            std::vector<CaseOperand> operands = RoutingOperands(s).operands();
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
        std::vector<CaseOperand> operands = RoutingOperands(s).operands();
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

} // namespace

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

} // namespace roundpipe::kernels
