// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/kept_texts.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace roundpipe::generate {
namespace {

// What is lost of a shorter text is read again sooner than it is copied.
constexpr int64_t kWorthKeeping = 16;

// Ids at the beginning that need not be read again; the last one's logits are wanted, so it is.
int64_t sharedBeginning(const ReadText& read, const ReadText& text) {
    if (read.weights != text.weights) return 0;
    const auto differs = std::ranges::mismatch(read.ids, text.ids).in1;
    return std::min<int64_t>(differs - read.ids.begin(), std::ssize(text.ids) - 1);
}

} // namespace

int64_t KeptTexts::begin(const ReadText& text) {
    RP_CHECK(!text.ids.empty());
    int64_t shared = sharedBeginning(m_current, text);
    auto best = m_kept.end();
    for (auto kept = m_kept.begin(); kept != m_kept.end(); ++kept)
        if (const int64_t ofKept = sharedBeginning(kept->text, text); ofKept > shared) {
            best = kept;
            shared = ofKept;
        }
    if (best != m_kept.end()) {
        Kept found = std::move(*best);
        m_kept.erase(best);
        m_keptBytes -= found.cache.bytes();
        putAside();
        m_decoder.loadCache(found.cache, std::ssize(found.text.ids));
        m_current = std::move(found.text);
    } else if (std::ssize(m_current.ids) - shared >= shared) { // another conversation, not this one put otherwise
        putAside();
    }
    m_decoder.rewind(shared);
    m_current.weights = text.weights;
    m_current.ids.resize(static_cast<std::size_t>(shared));
    return shared;
}

void KeptTexts::hasRead(ReadText text) {
    text.ids.resize(static_cast<std::size_t>(m_decoder.position()));
    m_current = std::move(text);
}

void KeptTexts::putAside() {
    const auto numTokens = std::ssize(m_current.ids);
    const int64_t bytes = m_decoder.cacheBytes(numTokens);
    if (numTokens < kWorthKeeping || bytes > m_maxBytes) return;
    while (m_keptBytes + bytes > m_maxBytes) {
        m_keptBytes -= m_kept.back().cache.bytes();
        m_kept.pop_back();
    }
    m_decoder.rewind(numTokens);
    try {
        m_kept.push_front({m_current, m_decoder.saveCache()});
        m_keptBytes += bytes;
    } catch (const Error& error) { // it is read again when it is asked for
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
    }
}

} // namespace roundpipe::generate
