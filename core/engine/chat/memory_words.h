// SPDX-License-Identifier: GPL-3.0-or-later
// What helps where memory runs out while a model answers: what lies below knows of training only.
#pragma once

#include "base/error.h"

namespace roundpipe::engine {

// Does `work`; an error of kOutOfMemory has advice for who asks a model.
template <class Work>
decltype(auto) askingInMemory(const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
        throw Error(error.kind(), error.message(),
                    "Give less room for the conversation with its answer, use a smaller model or another device, or "
                    "close what else has its memory.");
    }
}

} // namespace roundpipe::engine
