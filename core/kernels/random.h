// SPDX-License-Identifier: GPL-3.0-or-later
// Counter-based random numbers (Philox4x32-10; Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011).
// A draw is a function of its key and counter, never of call order, so dropout survives recompute, repartition, packing
// and resume. Compiles for host and device.
#pragma once

#include "base/host_device.h"

#include <cstdint>

namespace roundpipe::kernels {

struct Philox4 {
    uint32_t values[4];
};

RP_HOST_DEVICE inline Philox4 philox(uint64_t key, uint64_t counterLow, uint64_t counterHigh) {
    uint32_t c0 = static_cast<uint32_t>(counterLow), c1 = static_cast<uint32_t>(counterLow >> 32);
    uint32_t c2 = static_cast<uint32_t>(counterHigh), c3 = static_cast<uint32_t>(counterHigh >> 32);
    uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const uint64_t product0 = uint64_t{0xD2511F53u} * c0;
        const uint64_t product1 = uint64_t{0xCD9E8D57u} * c2;
        const uint32_t next0 = static_cast<uint32_t>(product1 >> 32) ^ c1 ^ k0;
        const uint32_t next2 = static_cast<uint32_t>(product0 >> 32) ^ c3 ^ k1;
        c1 = static_cast<uint32_t>(product1);
        c3 = static_cast<uint32_t>(product0);
        c0 = next0;
        c2 = next2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}

// A well-mixed 64-bit value of four others; the keys of streams are made with it.
RP_HOST_DEVICE inline uint64_t mixKey(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    const Philox4 first = philox(a, b, c);
    const Philox4 second = philox((uint64_t{first.values[0]} << 32) | first.values[1], d,
                                  (uint64_t{first.values[2]} << 32) | first.values[3]);
    return (uint64_t{second.values[0]} << 32) | second.values[1];
}

// Uniform in [0, 1) with 24 bits.
RP_HOST_DEVICE inline float uniform(uint32_t bits) {
    return static_cast<float>(bits >> 8) * 0x1.0p-24f;
}

} // namespace roundpipe::kernels
