// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/choices.h"

namespace roundpipe {

DType operandTypeOf(Precision precision, bool onGpusOnly) {
    switch (precision) {
    case Precision::kAuto:
        break;
    case Precision::kBf16:
        return DType::kBF16;
    case Precision::kFp16:
        return DType::kF16;
    case Precision::kFp32:
        return DType::kF32;
    case Precision::kFp64:
        return DType::kF64;
    }
    return onGpusOnly ? DType::kBF16 : DType::kF32;
}

DType momentTypeOf(Moments moments, DType operandType) {
    const DType masters = statisticsType(operandType);
    return moments == Moments::kBf16 && masters == DType::kF32 ? DType::kBF16 : masters;
}

} // namespace roundpipe
