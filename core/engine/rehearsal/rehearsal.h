// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline against itself on this machine's devices: adapters and weights of a small random model are trained in
// many ways (other cuts, weights that stay or come and go, other depths of prefetch, steps with and without a gap
// between them; in fp16, and with packed bases, too), and every way must give the same bits. Weight slots are poisoned
// and stamped meanwhile. Some ways are logged (device/order): no access to memory may be without order. Then with
// random delays in all streams, and on a device that hangs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roundpipe::engine {

struct Rehearsal {
    std::string name;    // "2 devices, 3 | 3 2, half resident, 1 layer ahead"
    std::string problem; // empty: passed
};

// On one of the named devices ("cuda:0", "cpu:3"), on two, on twice as many up to all of them. `done` is called after
// each. Throws where the devices can't be opened, or where the first way fails already.
std::vector<Rehearsal> rehearse(const std::vector<std::string>& devices,
                                const std::function<void(const Rehearsal&)>& done);

// Only with random delays in all streams, for as many steps as are asked for, synchronous and one step stale.
std::vector<Rehearsal> rehearseDelays(const std::vector<std::string>& devices, int64_t numSteps,
                                      const std::function<void(const Rehearsal&)>& done);

} // namespace roundpipe::engine
