// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/content_hash.h"

#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace roundpipe {

struct ContentHasher::State {
    alignas(64) XXH3_state_t xxh;
};

ContentHasher::ContentHasher() : m_state(std::make_unique<State>()) {
    XXH3_128bits_reset(&m_state->xxh);
}

ContentHasher::~ContentHasher() = default;
ContentHasher::ContentHasher(ContentHasher&&) noexcept = default;
ContentHasher& ContentHasher::operator=(ContentHasher&&) noexcept = default;

void ContentHasher::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&m_state->xxh, bytes.data(), bytes.size());
}

std::string ContentHasher::hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&m_state->xxh);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

uint64_t ContentHasher::checksum() const {
    return XXH3_128bits_digest(&m_state->xxh).low64;
}

std::string contentHash(std::string_view text) {
    ContentHasher hasher;
    hasher.add(std::as_bytes(std::span(text)));
    return hasher.hex();
}

std::string contentHashOfFile(const std::filesystem::path& path) {
    constexpr int64_t kPiece = int64_t{4} << 20; // large enough that a disk reads ahead, small enough for a cache
    const FileReader file(path);
    std::vector<std::byte> piece(static_cast<std::size_t>(std::min(kPiece, file.sizeBytes())));
    ContentHasher hasher;
    for (int64_t at = 0; at < file.sizeBytes(); at += kPiece) {
        const std::span part =
            std::span(piece).first(static_cast<std::size_t>(std::min(kPiece, file.sizeBytes() - at)));
        file.readAt(at, part);
        hasher.add(part);
    }
    return hasher.hex();
}

} // namespace roundpipe
