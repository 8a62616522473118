// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret_options.h"

#include "base/secret_forms.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace roundpipe::secret_forms {
namespace {

struct SecretOption {
    std::string_view program; // or what its name begins with: "mysql", "mysqldump"
    std::string_view option;
    bool isAttached;    // its value may follow without a blank
    bool isApart;       // or with one
    bool isBehindColon; // the secret, in the value
};
constexpr std::array kOptions = {
    SecretOption{"curl", "-u", true, true, true},     SecretOption{"curl", "--user", false, true, true},
    SecretOption{"curl", "-U", true, true, true},     SecretOption{"curl", "--proxy-user", false, true, true},
    SecretOption{"mysql", "-p", true, false, false},  SecretOption{"mariadb", "-p", true, false, false},
    SecretOption{"sshpass", "-p", true, true, false},
};

bool isGap(char c) {
    return c == ' ' || c == '\t';
}

bool isQuoteSign(char c) {
    return c == '"' || c == '\'';
}

bool isOfPlainWord(char c) {
    return static_cast<unsigned char>(c) > ' ' && !isQuoteSign(c) && c != '\\';
}

bool isOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Of the quotes of who tells of a command, too; a line may go on in the next.
std::size_t endOfLine(std::string_view text, std::size_t from) {
    constexpr std::size_t kMost = 4096;
    const std::size_t most = std::min(text.size(), from + kMost);
    for (std::size_t at = from; at < most; ++at) {
        const bool goesOn = at > from && text[at - 1] == '\\';
        if (text[at] == '`' || ((text[at] == '\n' || text[at] == '\r') && !goesOn)) return at;
    }
    return most;
}

// What comes after it is another one's.
std::size_t endOfCommand(std::string_view text, std::size_t from) {
    const std::size_t end = endOfLine(text, from);
    for (std::size_t at = from; at + 1 < end; ++at)
        if (std::string_view("|;&").find(text[at]) != std::string_view::npos && isGap(text[at + 1])) return at;
    return end;
}

struct Range {
    std::size_t begin = 0, end = 0;
};

// A word, or what stands in quotes.
Range valueAt(std::string_view text, std::size_t begin, std::size_t end) {
    while (begin < end && text[begin] == '\\') // of quotes in quotes
        ++begin;
    if (begin < end && isQuoteSign(text[begin])) {
        const std::size_t quote = text.find(text[begin], begin + 1);
        const bool isEscaped = quote < end && text[quote - 1] == '\\';
        return quote < end ? Range{begin + 1, quote - (isEscaped ? 1 : 0)} : Range{begin, begin};
    }
    Range value{begin, begin};
    while (value.end < end && isOfPlainWord(text[value.end]))
        ++value.end;
    while (value.end > begin && std::string_view(".,:;!?)]").find(text[value.end - 1]) != std::string_view::npos)
        --value.end; // of the sentence
    return value;
}

bool standsForOne(std::string_view value) {
    constexpr std::array<std::string_view, 5> kWords = {"token", "apikey", "apitoken", "passwd", "pwd"};
    if (value.empty() || std::string_view("|&;<>").find(value.front()) != std::string_view::npos) return true;
    return isPlaceholder(value, "password") || std::ranges::find(kWords, simplified(value)) != kWords.end();
}

// Of the value of an option what is secret; nothing: none is.
Range secretIn(std::string_view text, Range value, const SecretOption& option) {
    if (option.isBehindColon) {
        const std::size_t colon = text.substr(0, value.end).find(':', value.begin);
        if (colon == std::string_view::npos || colon == value.begin) return {};
        value.begin = colon + 1;
    }
    return standsForOne(text.substr(value.begin, value.end - value.begin)) ? Range{} : value;
}

// Where the value of the option begins, if the word at `at` is the option; npos: it is not.
std::size_t beginOfValue(std::string_view text, std::size_t at, const SecretOption& option) {
    if (!text.substr(at).starts_with(option.option)) return std::string_view::npos;
    at += option.option.size();
    if (at == text.size()) return std::string_view::npos;
    if (text[at] == '=' && option.option.starts_with("--")) return at + 1;
    if (isGap(text[at]) && option.isApart) return text.find_first_not_of(" \t", at);
    return option.isAttached && static_cast<unsigned char>(text[at]) > ' ' ? at : std::string_view::npos;
}

void hideIn(std::string& text, std::size_t at, const SecretOption& option) {
    std::size_t end = endOfCommand(text, at);
    for (std::size_t word = at; word < end; ++word) {
        const bool begins = isGap(text[word - 1]) || text[word - 1] == '\n';
        const std::size_t begin = begins ? beginOfValue(text, word, option) : std::string_view::npos;
        if (begin >= end) continue;
        const Range secret = secretIn(text, valueAt(text, begin, endOfLine(text, at)), option);
        if (secret.begin >= secret.end) continue;
        text.replace(secret.begin, secret.end - secret.begin, kHidden);
        end = endOfCommand(text, at);
    }
}

} // namespace

void hideSecretOptions(std::string& text) {
    for (const SecretOption& option : kOptions)
        for (std::size_t at = 0; (at = text.find(option.program, at)) != std::string::npos;) {
            const bool begins = at == 0 || !isOfName(text[at - 1]);
            at += option.program.size();
            while (at < text.size() && isOfName(text[at]))
                ++at;
            if (begins && at < text.size() && isGap(text[at])) hideIn(text, at + 1, option);
        }
}

} // namespace roundpipe::secret_forms
