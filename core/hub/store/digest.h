// SPDX-License-Identifier: GPL-3.0-or-later
// The two checksums by which the Hub names what a file holds: SHA-256 of large files, git's name of a blob for others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // OpenSSL's

namespace roundpipe::hub {

enum class DigestKind : uint8_t {
    kSha256,
    kGitBlob, // SHA-1 of "blob ", the size, a zero byte and the content
};

class Digest {
public:
    // `sizeBytes`: of the whole content, which git puts before it.
    Digest(DigestKind kind, int64_t sizeBytes);
    void add(std::string_view bytes);
    std::string hex(); // of all that was added; ends it

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_context;
};

} // namespace roundpipe::hub
