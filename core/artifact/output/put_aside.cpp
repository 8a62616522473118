// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/output/put_aside.h"

namespace roundpipe::artifact {

PutAside::~PutAside() {
    if (m_writing.valid()) m_writing.wait();
}

std::span<std::byte> PutAside::next(std::size_t bytes) {
    m_made.resize(bytes);
    return m_made;
}

void PutAside::put() {
    finish();
    std::swap(m_made, m_written);
    m_writing = std::async(std::launch::async, [this] { m_put(m_written); });
}

void PutAside::finish() {
    if (m_writing.valid()) m_writing.get();
}

} // namespace roundpipe::artifact
