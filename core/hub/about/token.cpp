// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/token.h"

#include "base/error.h"
#include "base/file.h"
#include "base/user_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr int64_t kMaxTokenBytes = 4096;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::string trimmed(const std::string& text) {
    constexpr const char* kBlank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// Printed into a header, so nothing that could end it.
bool isTokenText(const std::string& text) {
    return text.size() <= kMaxTokenBytes && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

} // namespace

Token::Token(std::string secret, std::string from) : m_secret(std::move(secret)), m_from(std::move(from)) {
    if (!isTokenText(m_secret))
        throw invalidInput(fmt::format("What '{}' holds is no token of the Hub: it has blanks or other characters in "
                                       "it that no token has.",
                                       m_from),
                           "Log in again (hf auth login), or correct it.");
}

Token Token::find() {
    if (const std::string secret = trimmed(variable("HF_TOKEN")); !secret.empty()) return {secret, "HF_TOKEN"};
    const std::filesystem::path file = huggingFaceTokenFile();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return {};
    const std::string secret = trimmed(readTextFile(file, kMaxTokenBytes));
    return secret.empty() ? Token() : Token(secret, file.string());
}

std::string Token::redacted(std::string text) const {
    if (m_secret.empty()) return text;
    constexpr std::string_view kInstead = "(token)";
    for (std::size_t at = text.find(m_secret); at != std::string::npos; at = text.find(m_secret, at + kInstead.size()))
        text.replace(at, m_secret.size(), kInstead);
    return text;
}

} // namespace roundpipe::hub
