// SPDX-License-Identifier: GPL-3.0-or-later
// The hash of a file's content, XXH3: quick enough that the disk decides, and wide enough (128 bits) that chance never
// makes two files equal. It does not resist somebody who makes collisions on purpose; who can do that to a user's own
// data can give other data as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe {

// Used by one thread.
class ContentHasher {
public:
    ContentHasher();
    ~ContentHasher();
    ContentHasher(ContentHasher&&) noexcept;
    ContentHasher& operator=(ContentHasher&&) noexcept;

    void add(std::span<const std::byte> bytes);
    std::string hex() const;   // of all that was added: 32 hexadecimal digits
    uint64_t checksum() const; // 64 bits of it

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string contentHash(std::string_view text);
std::string contentHashOfFile(const std::filesystem::path& file); // throws kIo

} // namespace roundpipe
