// The two checksums by which the Hub names what a file holds: SHA-256 of large files, git's name of a blob for others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roundpipe::hub {

enum class DigestKind : uint8_t {
    kSha256,  // FIPS 180-4
    kGitBlob, // SHA-1 (FIPS 180-4) of "blob ", the size, a zero byte and the content
};

class Digest {
public:
    // `sizeBytes`: of the whole content, which git puts before it.
    Digest(DigestKind kind, int64_t sizeBytes);
    void add(std::string_view bytes);
    std::string hex(); // of all that was added; ends it

private:
    void compress(const unsigned char* block);

    DigestKind m_kind;
    std::array<uint32_t, 8> m_state; // SHA-1 has five
    std::array<unsigned char, 64> m_block{};
    std::size_t m_numInBlock = 0;
    uint64_t m_numBytes = 0;
};

} // namespace roundpipe::hub
