// SPDX-License-Identifier: GPL-3.0-or-later
// Element types of tensors, as they stand in files, in host blobs and on devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace roundpipe {

enum class DType : uint8_t { kF64, kF32, kBF16, kF16, kI64, kI32, kI16, kI8, kU8, kBool };

std::size_t sizeOf(DType dtype);                             // bytes of one element
const char* toString(DType dtype);                           // the spelling of safetensors ("BF16")
std::optional<DType> dtypeFromSafetensors(std::string_view); // "F32", "BF16", …; nothing when unknown
std::optional<DType> dtypeFromTorchName(std::string_view);   // "float32", "torch.bfloat16", "bf16", …
bool isFloating(DType dtype);
// In which sums, norms, losses and gradients of computations in `dtype` are kept: fp64 for fp64, else fp32.
DType statisticsType(DType dtype);

} // namespace roundpipe
