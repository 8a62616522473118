// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/workspace.h"

#include "base/error.h"

#include <string>

namespace roundpipe::geometry {

std::byte* Workspace::take(int64_t bytes) {
    RP_CHECK(bytes >= 0);
    const int64_t offset = m_used;
    const int64_t end = offset + alignUp(bytes);
    if (m_data != nullptr && end > m_bytes)
        throw Error(ErrorKind::kInternal, "a workspace of " + std::to_string(m_bytes) + " bytes is too small for " +
                                              std::to_string(end) + " bytes");
    m_used = end;
    return m_data == nullptr ? nullptr : m_data + offset;
}

Buffers::Buffers(Workspace& memory, int64_t count, int64_t bytesEach)
    : m_first(memory.take(count * alignUp(bytesEach))), m_count(count), m_bytesEach(bytesEach) {}

std::byte* Buffers::operator[](std::size_t index) const {
    RP_CHECK(m_first != nullptr && index < size());
    return m_first + static_cast<int64_t>(index) * alignUp(m_bytesEach);
}

} // namespace roundpipe::geometry
