// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include "kernels/random.h"
#include "kernels/scalar.h"

#include <algorithm>
#include <cstring>

namespace roundpipe::kernels {

std::string Size::name() const {
    return " " + std::to_string(rows) + "x" + std::to_string(cols) + (spare > 0 ? "+" + std::to_string(spare) : "");
}

void Cases::add(std::string name, double roundings, std::vector<CaseOperand> operands, Call call) {
    m_cases.push_back({std::move(name), std::move(operands), std::move(call), roundings});
}

CaseOperand Cases::output(Size size, OperandKind kind) {
    CaseOperand operand;
    operand.role = OperandRole::kOutput;
    operand.kind = kind;
    operand.rows = size.rows;
    operand.cols = size.cols;
    operand.pitch = size.cols + size.spare;
    return operand;
}

CaseOperand Cases::random(Size size, double scale, OperandKind kind, DType other) {
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

CaseOperand Cases::given(Size size, std::vector<double> values, OperandKind kind) const {
    CaseOperand operand = output(size, kind);
    operand.role = OperandRole::kInput;
    operand.values = std::move(values);
    return rounded(operand);
}

CaseOperand Cases::integers(std::vector<int64_t> values, OperandKind kind) {
    CaseOperand operand = output({1, static_cast<int64_t>(values.size()), 0}, kind);
    operand.role = OperandRole::kInput;
    operand.integers = std::move(values);
    return operand;
}

CaseOperand Cases::words(std::span<const std::byte> bytes) {
    constexpr std::size_t kWord = sizeof(int32_t);
    std::vector<int64_t> words((bytes.size() + kWord - 1) / kWord);
    for (std::size_t w = 0; w < words.size(); ++w) {
        int32_t word = 0;
        std::memcpy(&word, bytes.data() + kWord * w, std::min(kWord, bytes.size() - kWord * w));
        words[w] = word;
    }
    return integers(std::move(words));
}

CaseOperand Cases::changed(CaseOperand operand) {
    operand.role = OperandRole::kInOut;
    return operand;
}

CaseOperand Cases::partsOf(int64_t cols) {
    constexpr int64_t kParts = 5; // rows are cut into
    CaseOperand parts = output({kParts, cols, 0}, OperandKind::kStatistic);
    parts.role = OperandRole::kScratch;
    return parts;
}

CaseOperand Cases::rounded(CaseOperand operand) const {
    visitFloating(typeOf(operand, m_dtype), [&]<class T>(T) {
        for (double& value : operand.values)
            value = static_cast<double>(widen(narrow<T>(static_cast<Statistic<T>>(value))));
    });
    return operand;
}

std::string wordsOf(bool norm, bool addsOne) {
    if (!norm) return "";
    return addsOne ? " with norm of 1 + w" : " with norm";
}

std::string nameOf(Activation activation) {
    return activation == Activation::kSilu ? "SiLU" : "GELU";
}

std::vector<Case> selfTestCases(DType dtype, uint64_t seed) {
    Cases cases(dtype, seed);
    addElementwise(cases);
    addNorms(cases);
    addRotary(cases);
    addAttentions(cases);
    addAnswers(cases);
    addSequenceOffsets(cases);
    addUnpacking(cases);
    addFp8(cases);
    addExperts(cases);
    addLosses(cases);
    addDropout(cases);
    return cases.take();
}

} // namespace roundpipe::kernels
