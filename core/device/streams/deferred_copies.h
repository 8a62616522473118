// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of a stream that can wait: weights on their way up ahead of use, gradients on their way down. They go in
// pieces, between which a link carries packets (cuda_device.cpp), a share of them behind each microbatch's packets, so
// that what is needed first is issued first.
#pragma once

#include "device/streams/stream.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

namespace roundpipe::device {

// Used by the thread that issues to `stream`, which outlives it. What is left when it goes is never issued.
class DeferredCopies {
public:
    explicit DeferredCopies(Stream& stream) : m_stream(&stream) {}

    // What is done in the order in which it was added, once its turn has come: copies in pieces (geometry/pieces.h), a
    // record each, and steps before, between and after them, which may block the host.
    void addCopy(std::byte* to, const std::byte* from, int64_t bytes, const trace::Record& what);
    void addStep(std::function<void()> step);

    // Issues 1 of `sharesLeft` shares of about as many pieces, behind all that `urgent` was given so far.
    void issueShare(int32_t sharesLeft, Stream& urgent);
    void issueAll();

private:
    struct Action {
        std::function<void()> run;
        bool isPiece = false;
    };
    void issueFirst();

    Stream* m_stream;
    std::deque<Action> m_steps;
    int64_t m_numPieces = 0; // of them
};

} // namespace roundpipe::device
