// SPDX-License-Identifier: GPL-3.0-or-later
// What the self-test compares: each kernel in shapes that reach its fast and its slow paths, a file for each group of
// kernels; and what these files share.
#pragma once

#include "kernels/selftest/case_run.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::kernels {

// All cases of one storage type. Inputs follow from the seed.
std::vector<Case> selfTestCases(DType dtype, uint64_t seed);

struct Size {
    int64_t rows, cols, spare; // spare: elements between rows

    std::string name() const;
};

// Collects the cases of one type and draws their inputs.
class Cases {
public:
    Cases(DType dtype, uint64_t seed) : m_dtype(dtype), m_seed(seed) {}

    std::vector<Case> take() { return std::move(m_cases); }
    void add(std::string name, double roundings, std::vector<CaseOperand> operands, Call call);

    static CaseOperand output(Size size, OperandKind kind = OperandKind::kStorage);
    // Uniform in [-scale, scale), rounded to the operand's type.
    CaseOperand random(Size size, double scale, OperandKind kind = OperandKind::kStorage, DType other = DType::kF32);
    CaseOperand given(Size size, std::vector<double> values, OperandKind kind = OperandKind::kStorage) const;
    static CaseOperand integers(std::vector<int64_t> values, OperandKind kind = OperandKind::kInt32);
    // The bits of what a kernel reads whatever its type, as an operand of whole numbers.
    template <class T>
    static CaseOperand bitsOf(const std::vector<T>& values) {
        return words(std::as_bytes(std::span(values)));
    }
    static CaseOperand changed(CaseOperand operand);
    static CaseOperand partsOf(int64_t cols); // scratch for sums over rows

private:
    static CaseOperand words(std::span<const std::byte> bytes);
    CaseOperand rounded(CaseOperand operand) const;

    DType m_dtype;
    uint64_t m_seed;
    uint64_t m_stream = 0;
    std::vector<Case> m_cases;
};

inline constexpr double kEps = 1e-6;
inline constexpr Size kPlainSizes[] = {{2, 9, 0}, {3, 127, 2}, {37, 1024, 0}, {5, 4096, 64}, {64, 32, 0}};

// Whether there is a norm, and whether it adds one to its weight.
inline constexpr std::pair<bool, bool> kNorms[] = {{false, false}, {true, false}, {true, true}};
std::string wordsOf(bool norm, bool addsOne);
std::string nameOf(Activation activation);

struct HeadSize {
    int64_t tokens, heads, headDim, half, spare;
};

// The groups.
void addElementwise(Cases& cases);
void addNorms(Cases& cases);
void addRotary(Cases& cases);
void addAttentions(Cases& cases);
void addAnswers(Cases& cases);
void addSequenceOffsets(Cases& cases);
void addUnpacking(Cases& cases);
void addFp8(Cases& cases);
void addExperts(Cases& cases);
void addLosses(Cases& cases);
void addDropout(Cases& cases);

} // namespace roundpipe::kernels
