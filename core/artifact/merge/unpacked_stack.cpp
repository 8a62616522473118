// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/unpacked_stack.h"

#include "base/mxfp4.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

std::vector<uint8_t> bytesOf(const arch::SafetensorsFile& file, const arch::TensorEntry& entry) {
    std::vector<uint8_t> bytes(static_cast<std::size_t>(entry.bytes));
    file.read(entry, 0, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

} // namespace

UnpackedStack::UnpackedStack(const MergedTensor& tensor)
    : m_in(tensor.shape[1])
    , m_out(tensor.shape[2])
    , m_codes(bytesOf(*tensor.file, *tensor.entry))
    , m_scales(bytesOf(*tensor.scalesFile, *tensor.scales)) {}

void UnpackedStack::read(int64_t first, int64_t count, std::span<float> into) const {
    for (int64_t done = 0; done < count;) { // the rows of an expert, output by output
        const int64_t expert = (first + done) / m_in, begin = (first + done) % m_in;
        const int64_t size = std::min(count - done, m_in - begin);
        for (int64_t out = 0; out < m_out; ++out) {
            const int64_t row = (expert * m_out + out) * m_in;
            for (int64_t i = 0; i < size; ++i) {
                const int64_t at = row + begin + i;
                const uint8_t pair = m_codes[static_cast<std::size_t>(at / 2)];
                const auto code = static_cast<std::size_t>(at % 2 == 0 ? pair & 15 : pair >> 4);
                into[static_cast<std::size_t>((done + i) * m_out + out)] =
                    kE2m1Values[code] * fromE8m0(m_scales[static_cast<std::size_t>(at / kMxfp4Group)]);
            }
        }
        done += size;
    }
}

} // namespace roundpipe::artifact
