// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/streams/deferred_copies.h"

#include "geometry/pieces.h"

#include <algorithm>
#include <utility>

namespace roundpipe::device {

void DeferredCopies::addCopy(std::byte* to, const std::byte* from, int64_t bytes, const trace::Record& what) {
    for (int64_t at = 0; at < bytes; at += geometry::kPieceBytes) {
        const int64_t size = std::min(geometry::kPieceBytes, bytes - at);
        m_steps.push_back(
            {[stream = m_stream, to = to + at, from = from + at, size, what] { stream->copy(to, from, size, what); },
             true});
        ++m_numPieces;
    }
}

void DeferredCopies::addStep(std::function<void()> step) {
    m_steps.push_back({std::move(step), false});
}

void DeferredCopies::issueShare(int32_t sharesLeft, Stream& urgent) {
    if (m_steps.empty()) return;
    m_stream->wait(urgent.record(), Awaited::kPacketsFirst);
    const int64_t left = m_numPieces - geometry::piecesOfShare(m_numPieces, sharesLeft);
    while (m_numPieces > left)
        issueFirst();
    if (left == 0) issueAll(); // the steps behind the last piece
}

void DeferredCopies::issueAll() {
    while (!m_steps.empty())
        issueFirst();
}

void DeferredCopies::issueFirst() {
    const Action first = std::move(m_steps.front());
    m_steps.pop_front();
    if (first.isPiece) --m_numPieces;
    first.run();
}

} // namespace roundpipe::device
