// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums that other programs compute, too: SHA-256, as sha256sum and the Hub name large files, and git's name of a
// blob, as the Hub names others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // OpenSSL's

namespace roundpipe {

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

} // namespace roundpipe
