// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/dtype.h"

#include "base/error.h"

#include <array>

namespace roundpipe {
namespace {

struct Info {
    DType dtype;
    std::size_t bytes;
    const char* safetensors;
    std::string_view torchName;
    std::string_view shortName;
};

constexpr std::array kInfos = {
    Info{DType::kF64, 8, "F64", "float64", "fp64"},    Info{DType::kF32, 4, "F32", "float32", "fp32"},
    Info{DType::kBF16, 2, "BF16", "bfloat16", "bf16"}, Info{DType::kF16, 2, "F16", "float16", "fp16"},
    Info{DType::kI64, 8, "I64", "int64", "i64"},       Info{DType::kI32, 4, "I32", "int32", "i32"},
    Info{DType::kI16, 2, "I16", "int16", "i16"},       Info{DType::kI8, 1, "I8", "int8", "i8"},
    Info{DType::kU8, 1, "U8", "uint8", "u8"},          Info{DType::kBool, 1, "BOOL", "bool", "bool"},
};

const Info& infoOf(DType dtype) {
    for (const Info& info : kInfos)
        if (info.dtype == dtype) return info;
    failCheck("known dtype", __FILE__, __LINE__);
}

} // namespace

std::size_t sizeOf(DType dtype) {
    return infoOf(dtype).bytes;
}

const char* toString(DType dtype) {
    return infoOf(dtype).safetensors;
}

std::optional<DType> dtypeFromSafetensors(std::string_view name) {
    for (const Info& info : kInfos)
        if (info.safetensors == name) return info.dtype;
    return std::nullopt;
}

std::optional<DType> dtypeFromTorchName(std::string_view name) {
    if (name.starts_with("torch.")) name.remove_prefix(6);
    for (const Info& info : kInfos)
        if (info.torchName == name || info.shortName == name) return info.dtype;
    return std::nullopt;
}

bool isFloating(DType dtype) {
    return dtype == DType::kF64 || dtype == DType::kF32 || dtype == DType::kBF16 || dtype == DType::kF16;
}

DType statisticsType(DType dtype) {
    return dtype == DType::kF64 ? DType::kF64 : DType::kF32;
}

} // namespace roundpipe
