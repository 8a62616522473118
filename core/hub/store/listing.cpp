// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/listing.h"

#include "base/error.h"
#include "hub/about/hub_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr int64_t kMaxFileBytes = int64_t{1} << 50;

bool isHash(const std::string& text, std::size_t digits) {
    return text.size() == digits &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace

const HubFile* Listing::find(const std::string& path) const {
    const auto found = std::ranges::find(files, path, &HubFile::path);
    return found == files.end() ? nullptr : &*found;
}

void checkFile(const HubFile& file) {
    const char* const advice = "Nothing was fetched. See whether HF_ENDPOINT names a mirror of the Hub that you trust.";
    if (!isSafePath(file.path))
        throw invalidInput("The list of the repository's files has a name in it that leads out of its folder, or that "
                           "no file can have.",
                           advice);
    if (file.sizeBytes < 0 || file.sizeBytes > kMaxFileBytes)
        throw invalidInput(
            fmt::format("The size that is given of '{}' cannot be: {} bytes.", file.path, file.sizeBytes), advice);
    if (!isHash(file.gitName, 40) || !(file.sha256.empty() || isHash(file.sha256, 64)))
        throw invalidInput(fmt::format("The checksum that is given of '{}' is none.", file.path), advice);
}

} // namespace roundpipe::hub
