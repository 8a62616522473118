// SPDX-License-Identifier: GPL-3.0-or-later
// Large memory straight from the system: zeros that nobody has written yet. A page is taken by whoever touches it
// first, so making it costs nothing and a team that fills it takes its pages side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace roundpipe {

// Huge pages where the system has any. Different parts may be used by different threads.
class ZeroPages {
public:
    ZeroPages() = default;
    // Throws kOutOfMemory naming `what` ("the moments") where the system refuses; none for 0 bytes.
    ZeroPages(int64_t bytes, const char* what);

    std::byte* data() const { return m_data.get(); }

private:
    struct Unmap {
        std::size_t bytes;
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Unmap> m_data;
};

// Writes a zero into each page of zeros that nobody uses yet: the calling thread takes them.
void touchPages(std::byte* data, int64_t bytes);

} // namespace roundpipe
