// SPDX-License-Identifier: GPL-3.0-or-later
// What libFuzzer calls, and replay.cpp where there is no libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);
