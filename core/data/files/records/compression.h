// SPDX-License-Identifier: GPL-3.0-or-later
// Streaming decompression of gzip and zstd. Internal to this folder.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace roundpipe::data {

enum class Compression { kNone, kGzip, kZstd };
const char* toString(Compression compression); // "none", "gzip", "zstd"

// By the first bytes, whatever the file's name says.
Compression compressionOf(std::string_view firstBytes);

// Says in words what is wrong with the compressed bytes.
class DamagedStream : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One compressed stream, members or frames one after another included. Not for several threads at once.
class Inflater {
public:
    virtual ~Inflater() = default;
    // Takes from the front of `input`, fills the front of `output`, returns how many bytes it wrote. Neither moving on
    // means that it needs more input. Throws DamagedStream, after what comes before the damage was given out.
    virtual std::size_t inflate(std::string_view& input, std::span<char> output) = 0;
    // Whether the stream may end here: a member or frame has just been completed.
    virtual bool isComplete() const = 0;
};

std::unique_ptr<Inflater> makeInflater(Compression compression); // not for kNone

} // namespace roundpipe::data
