// SPDX-License-Identifier: GPL-3.0-or-later
// One case of the self-test, a call of a kernel with its operands, and how it is run in any type and place.
#pragma once

#include "kernels/kernels.h"

#include <functional>
#include <string>
#include <vector>

namespace roundpipe::kernels {

// Outputs and scratch start as NaN; scratch is not compared.
enum class OperandRole { kInput, kOutput, kInOut, kScratch };

// kStorage: the type under test. kStatistic: fp32, or fp64 for fp64. kTotal: fp64. kOther: CaseOperand::dtype.
enum class OperandKind { kStorage, kStatistic, kTotal, kOther, kInt32, kInt64 };

struct CaseOperand {
    OperandRole role = OperandRole::kInput;
    OperandKind kind = OperandKind::kStorage;
    int64_t rows = 0;
    int64_t cols = 0;
    int64_t pitch = 0;
    std::vector<double> values;    // of inputs, [rows * cols], already rounded to the operand's type
    std::vector<int64_t> integers; // of integer inputs
    DType dtype = DType::kF32;     // where kind is kOther
};

// Operands as matrices, in the order of the case.
using Call = std::function<void(const Target&, const std::vector<Matrix>&)>;

struct Case {
    std::string name;
    std::vector<CaseOperand> operands;
    Call call;
    double roundings = 1; // how many roundings to the type lie between inputs and outputs, about
};

// The type that an operand has when the storage type is `dtype`.
DType typeOf(const CaseOperand& operand, DType dtype);

// Runs the case and returns each operand's values after it, inputs too; `dtype` is the storage type. cudaDevice -1:
// CPU. Values of operands that were written outside of their rows are infinite. Throws what the kernel throws, kDevice
// when the GPU can't be used.
std::vector<std::vector<double>> runCase(const Case& which, DType dtype, int cudaDevice);

} // namespace roundpipe::kernels
