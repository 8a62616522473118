// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of made-up examples.
#pragma once

#include "batch/example_lengths.h"

#include <initializer_list>

namespace roundpipe::batch {

// All tokens but the first of each example are trained.
inline ExampleLengths lengthsOf(std::initializer_list<int64_t> lengths) {
    ExampleLengths examples;
    for (const int64_t length : lengths)
        examples.add(length, length - 1);
    return examples;
}

// As real rows have them: many short, few long ones, up to 200 tokens.
inline ExampleLengths unevenLengths(int64_t count) {
    ExampleLengths examples;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t length = 2 + (i * i * 7919 + i) % (i % 9 == 0 ? 199 : 40);
        examples.add(length, length / 2);
    }
    return examples;
}

} // namespace roundpipe::batch
