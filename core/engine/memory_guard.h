// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the machine's memory runs out, seen before the kernel ends programs for it, which cannot be caught.
#pragma once

#include "device/host_memory.h"

#include <cstdint>
#include <optional>

namespace roundpipe::engine {

enum class MemoryState {
    kEnough,
    kShort, // programs wait for memory a fifth of the time, or one hundredth is left
    kOut    // all of them wait two fifths of it, in kInARow looks in a row, or nearly nothing is left
};

// What is said of a machine: how long programs wait for memory, where the kernel counts that and there is little left,
// else what is available. A plan may take nearly all that there is, so that little is left says nothing by itself; and
// programs wait for memory, too, while others write large files.
class MemoryGuard {
public:
    static constexpr int kInARow = 5; // looks, one a second: a burst is none

    // Of one look at the machine.
    MemoryState look(const std::optional<device::MemoryPressure>& pressure, int64_t availableBytes, int64_t totalBytes);

private:
    int m_out = 0; // in a row
};

} // namespace roundpipe::engine
