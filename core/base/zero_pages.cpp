// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/zero_pages.h"

#include "base/error.h"
#include "base/units.h"

#include <string>
#include <sys/mman.h>

namespace roundpipe {

ZeroPages::ZeroPages(int64_t bytes, const char* what) {
    if (bytes == 0) return;
    const auto asked = static_cast<std::size_t>(bytes);
    void* const mapped = ::mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        throw Error(ErrorKind::kOutOfMemory, "the host has no room for " + formatBytes(bytes) + " of " + what,
                    "Close other programs, or use a smaller model.");
    ::madvise(mapped, asked, MADV_HUGEPAGE); // a wish
    m_data = {static_cast<std::byte*>(mapped), Unmap{asked}};
}

void ZeroPages::Unmap::operator()(std::byte* data) const {
    ::munmap(data, bytes);
}

void touchPages(std::byte* data, int64_t bytes) {
    constexpr int64_t kPageBytes = 4096;
    for (int64_t at = 0; at < bytes; at += kPageBytes)
        static_cast<volatile std::byte*>(data)[at] = std::byte{};
}

} // namespace roundpipe
