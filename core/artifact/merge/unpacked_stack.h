// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked experts as MXFP4 has them, (experts, out, in), read as 16-bit checkpoints have them: each transposed.
#pragma once

#include "artifact/merge/merged_model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::artifact {

// Holds the codes: a row of the result is a column of an expert.
class UnpackedStack {
public:
    explicit UnpackedStack(const MergedTensor& tensor);
    // `count` rows from `first` on, of all experts one below the other, in fp32, which loses nothing.
    void read(int64_t first, int64_t count, std::span<float> into) const;

private:
    int64_t m_in, m_out;
    std::vector<uint8_t> m_codes, m_scales;
};

} // namespace roundpipe::artifact
