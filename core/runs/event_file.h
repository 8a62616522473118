// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files, so that curves can be looked at there.
//
// The format, as TensorFlow's record_writer.h and event.proto describe it: records, each of
//     uint64 length · uint32 masked CRC-32C of these 8 bytes · the bytes · uint32 masked CRC-32C of them
// (little-endian; masked: rotated right by 15 bits, plus 0xa282ead8), whose bytes are messages `Event` in the encoding
// of protocol buffers: 1 wall_time (double), 2 step (int64), 3 file_version (the first record's, "brain.Event:2"),
// 5 summary { 1 value { 1 tag (string), 2 simple_value (float) } }. TensorBoard shows a folder of files whose names
// hold "tfevents".
#pragma once

#include "session/engine.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe::runs {

// The whole file: loss, validation loss, learning rate, gradient norm and tokens a second of each step, as "train/loss"
// and so on; what was not taken or is no number is left out. Steps begin at `startedAt` (seconds since 1970) and take
// as long as they took.
std::string eventsOf(std::span<const session::StepMetrics> steps, int64_t startedAt);

// Into `folder`, which is made: "events.out.tfevents.<startedAt>.roundpipe". Returns its path. Throws kIo, kNoSpace.
std::filesystem::path writeEvents(std::span<const session::StepMetrics> steps, int64_t startedAt,
                                  const std::filesystem::path& folder);

// A line of column names, then a line a step; nothing where there is no value.
std::string curvesCsv(std::span<const session::StepMetrics> steps);

uint32_t crc32c(std::string_view bytes); // Castagnoli's polynomial, as in RFC 3720

} // namespace roundpipe::runs
