// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/digest.h"

#include "base/error.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace roundpipe {

Digest::Digest(DigestKind kind, int64_t sizeBytes) : m_context(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free) {
    RP_CHECK(m_context != nullptr);
    const EVP_MD* const algorithm = kind == DigestKind::kSha256 ? ::EVP_sha256() : ::EVP_sha1();
    RP_CHECK(::EVP_DigestInit_ex(m_context.get(), algorithm, nullptr) == 1);
    if (kind == DigestKind::kGitBlob) add("blob " + std::to_string(sizeBytes) + '\0');
}

void Digest::add(std::string_view bytes) {
    RP_CHECK(::EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Digest::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned length = 0;
    RP_CHECK(::EVP_DigestFinal_ex(m_context.get(), bytes.data(), &length) == 1);
    std::string text;
    for (unsigned i = 0; i < length; ++i)
        text += fmt::format("{:02x}", bytes[i]);
    return text;
}

} // namespace roundpipe
