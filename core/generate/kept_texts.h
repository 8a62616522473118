// SPDX-License-Identifier: GPL-3.0-or-later
// What a decoder has read of several conversations, so that one that goes on is not read again.
//
// The decoder holds one; others that it was taken from lie in host memory, the longest unused ones are dropped where
// the limit is reached.
#pragma once

#include "generate/decoder.h"

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace roundpipe::generate {

// A text as weights have read it: base model and adapters, by how much of each.
struct ReadText {
    std::vector<double> weights;
    std::vector<int32_t> ids;
};

// Belongs to the decoder's thread.
class KeptTexts {
public:
    KeptTexts(Decoder& decoder, int64_t maxBytes) : m_decoder(decoder), m_maxBytes(maxBytes) {}

    // Brings the decoder to the longest beginning of the text that was read by the same weights, short of its last id.
    // How many ids that are; the caller reads the others.
    int64_t begin(const ReadText& text);
    // What the decoder has read now: all of the text, up to its position.
    void hasRead(ReadText text);

    int64_t keptBytes() const { return m_keptBytes; } // in host memory

private:
    struct Kept {
        ReadText text;
        device::HostBuffer cache;
    };
    void putAside();

    Decoder& m_decoder;
    int64_t m_maxBytes;
    ReadText m_current;     // in the decoder
    std::list<Kept> m_kept; // in host memory, the one that was used last in front
    int64_t m_keptBytes = 0;
};

} // namespace roundpipe::generate
