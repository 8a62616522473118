// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secrets.h"

#include "base/secret_forms.h"
#include "base/secret_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace roundpipe {
namespace {

constexpr std::string_view kHidden = secret_forms::kHidden;
constexpr std::string_view kEndsOfAddress = " \t\r\n\"'`<>\\"; // in sentences, in JSON and in HTML

char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isOfName(char c) {
    const char small = lowered(c);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

// Whether the parameter of an address is a secret: "access_token", "X-Amz-Signature", "api_key" by their names alone,
// where it is no short word ("token=cls"); what "key" and "sig" are is told by how their values are written.
bool isSecretParameter(std::string_view written, std::string_view value) {
    static constexpr std::array<std::string_view, 12> kWords = {"token",      "secret",    "password",    "passwd",
                                                                "passphrase", "pwd",       "signature",   "apikey",
                                                                "accesskey",  "secretkey", "accesskeyid", "credential"};
    static constexpr std::array<std::string_view, 2> kVague = {"key", "sig"};
    constexpr std::size_t kFewest = 6;
    const std::string name = secret_forms::simplified(written);
    const auto ends = [&](std::string_view word) { return name.ends_with(word); };
    if (std::ranges::any_of(kWords, ends)) return value.size() >= kFewest && !secret_forms::isPlaceholder(value, name);
    return std::ranges::any_of(kVague, ends) && secret_forms::isToken(value, name);
}

// Whether an address begins there, before "://". One that was taken for a path has lost a slash.
bool endsScheme(const std::string& text, std::size_t colon) {
    if (text.compare(colon, 3, "://") == 0) return true;
    const std::string_view before = std::string_view(text).substr(0, colon);
    return before.ends_with("http") || before.ends_with("https");
}

// Before the last @ of what names the host.
void hideUser(std::string& text) {
    for (std::size_t at = 0; (at = text.find(":/", at)) != std::string::npos;) {
        const bool isAddress = endsScheme(text, at);
        at = std::min(text.find_first_not_of('/', at + 1), text.size());
        if (!isAddress) continue;
        const std::size_t end = std::min(text.find_first_of("/?#", at), text.find_first_of(kEndsOfAddress, at));
        const std::size_t host = text.substr(at, end == std::string::npos ? end : end - at).rfind('@');
        if (host != std::string::npos && host > 0) text.replace(at, host, kHidden);
    }
}

// What stands behind ? and & of an address.
void hideParameters(std::string& text) {
    for (std::size_t at = 0; (at = text.find_first_of("?&;", at)) != std::string::npos;) {
        const std::size_t name = ++at;
        while (at < text.size() && isOfName(text[at]))
            ++at;
        if (at == text.size() || text[at] != '=') continue;
        const std::string written = text.substr(name, at++ - name);
        const std::size_t end =
            std::min({text.find_first_of("&#", at), text.find_first_of(kEndsOfAddress, at), text.size()});
        if (isSecretParameter(written, std::string_view(text).substr(at, end - at)))
            text.replace(at, end - at, kHidden);
    }
}

// "//user:password@host", which names no scheme.
void hideUserWithoutScheme(std::string& text) {
    for (std::size_t at = 0; (at = text.find("//", at)) != std::string::npos;) {
        const bool hasScheme = at > 0 && text[at - 1] == ':';
        at += 2;
        const std::size_t end =
            std::min({text.find_first_of("/?#", at), text.find_first_of(kEndsOfAddress, at), text.size()});
        const std::string_view host = std::string_view(text).substr(at, end - at);
        const std::size_t user = host.rfind('@'), colon = host.find(':');
        if (!hasScheme && user != std::string_view::npos && user + 1 < host.size() && colon > 0 && colon + 1 < user)
            text.replace(at, user, kHidden);
    }
}

} // namespace

std::string withoutSecrets(std::string text) {
    hideUser(text);
    hideUserWithoutScheme(text);
    hideParameters(text);
    secret_forms::hideTokens(text);
    secret_forms::hideNamedSecrets(text);
    secret_forms::hideSecretOptions(text);
    return text;
}

bool holdsSecret(const std::string& text) {
    return withoutSecrets(text) != text;
}

} // namespace roundpipe
