// SPDX-License-Identifier: GPL-3.0-or-later
// What targets have in common that read a file: its bytes are taken, or refused in words.
#pragma once

#include "base/error.h"
#include "scratch_file.h"

using Bytes = std::string_view;

inline int takenOrRefused(void (*read)(Bytes), const uint8_t* data, std::size_t size) {
    try {
        read(Bytes(reinterpret_cast<const char*>(data), size));
    } catch (const roundpipe::Error& error) {
        require(error.kind() != roundpipe::ErrorKind::kInternal, error.what());
        require(!error.message().empty(), "words");
    }
    return 0;
}
