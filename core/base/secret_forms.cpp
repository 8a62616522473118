// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret_forms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace roundpipe::secret_forms {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isAlnum(char c) {
    return isLetter(c) || isDigit(c);
}
bool isUpperOrDigit(char c) {
    return isDigit(c) || (c >= 'A' && c <= 'Z');
}
bool isOfWord(char c) {
    return isAlnum(c) || c == '_';
}
bool isOfBase64Url(char c) {
    return isOfWord(c) || c == '-';
}
bool isOfToken(char c) {
    return isOfBase64Url(c) || c == '.';
}

bool isSeparator(char c) {
    return c == '_' || c == '-' || c == '.';
}

char inLowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

using IsOf = bool (*)(char);

std::size_t endOf(std::string_view text, std::size_t from, IsOf isOf) {
    while (from < text.size() && isOf(text[from]))
        ++from;
    return from;
}

// A token of a service: its mark, and how many of which letters follow at least. In the middle of a word it is one from
// `inWord` on; 0: never. The marks that words of languages end with are known by their digits as well.
struct Form {
    std::string_view mark;
    std::size_t fewest;
    IsOf isOf;
    std::size_t inWord;
    bool hasDigits = false;
};
constexpr std::array kForms = {
    Form{"hf_", 16, isAlnum, 24}, // Hugging Face
    Form{"api_org_", 24, isAlnum, 24},
    Form{"ghp_", 20, isAlnum, 24}, // GitHub
    Form{"gho_", 20, isAlnum, 24},
    Form{"ghu_", 20, isAlnum, 24},
    Form{"ghs_", 20, isAlnum, 24},
    Form{"ghr_", 20, isAlnum, 24},
    Form{"github_pat_", 20, isOfWord, 24},
    Form{"glpat-", 16, isOfBase64Url, 20},      // GitLab
    Form{"xoxb-", 10, isOfBase64Url, 10, true}, // Slack
    Form{"xoxp-", 10, isOfBase64Url, 10, true},
    Form{"xoxa-", 10, isOfBase64Url, 10, true},
    Form{"xoxr-", 10, isOfBase64Url, 10, true},
    Form{"xoxs-", 10, isOfBase64Url, 10, true},
    Form{"xapp-", 20, isOfBase64Url, 0, true},
    Form{"sk_live_", 16, isAlnum, 24}, // Stripe
    Form{"sk_test_", 16, isAlnum, 24},
    Form{"rk_live_", 16, isAlnum, 24},
    Form{"AIza", 35, isOfBase64Url, 0}, // Google
    Form{"npm_", 36, isAlnum, 0},
    Form{"pypi-", 40, isOfBase64Url, 0, true},
    Form{"nvapi-", 40, isOfBase64Url, 0, true},
    Form{"gsk_", 40, isAlnum, 0, true},
    Form{"r8_", 37, isAlnum, 0, true},
    Form{"dckr_pat_", 20, isOfBase64Url, 0, true},
    Form{"wandb_v1_", 30, isOfWord, 0, true},
};

// Between a name and its value. Longer ones first.
constexpr std::array<std::string_view, 5> kAssignments = {"==", "=>", ":=", "=", ":"};

void hide(std::string& text, std::size_t from, std::size_t end) {
    text.replace(from, end - from, kHidden);
}

bool hasDigit(std::string_view text) {
    return std::ranges::any_of(text, isDigit);
}

void hideForm(std::string& text, const Form& form) {
    for (std::size_t at = 0; (at = text.find(form.mark, at)) != std::string::npos;) {
        const bool isInWord = at > 0 && isOfToken(text[at - 1]);
        const std::size_t fewest = isInWord ? form.inWord : form.fewest;
        at += form.mark.size();
        const std::size_t end = endOf(text, at, form.isOf);
        const bool isLong = fewest > 0 && end - at >= fewest;
        if (isLong && (!form.hasDigits || hasDigit(std::string_view(text).substr(at, end - at)))) hide(text, at, end);
    }
}

// OpenAI's and Anthropic's: in "sk-learn-for-classification-2" no part is long and has digits, in theirs one is.
void hideModelServiceKeys(std::string& text) {
    constexpr std::string_view kMark = "sk-";
    constexpr std::size_t kFewest = 20, kLongPart = 12;
    for (std::size_t at = 0; (at = text.find(kMark, at)) != std::string::npos;) {
        const bool begins = at == 0 || !isOfToken(text[at - 1]);
        at += kMark.size();
        const std::size_t end = endOf(text, at, isOfBase64Url);
        bool isRandom = false;
        for (std::size_t part = at, partEnd = at; part < end; part = partEnd + 1) {
            partEnd = endOf(text, part, isAlnum);
            isRandom = isRandom ||
                       (partEnd - part >= kLongPart && hasDigit(std::string_view(text).substr(part, partEnd - part)));
        }
        if (begins && isRandom && end - at >= kFewest) hide(text, at, end);
    }
}

// Amazon's key ids have 20 capitals and digits in all.
void hideKeyIds(std::string& text) {
    constexpr std::size_t kLength = 16;
    for (const std::string_view mark : {"AKIA", "ASIA"})
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
            const bool begins = at == 0 || !isAlnum(text[at - 1]);
            at += mark.size();
            const std::size_t end = endOf(text, at, isUpperOrDigit);
            const bool ends = end == text.size() || !isAlnum(text[end]);
            if (begins && ends && end - at == kLength) hide(text, at, end);
        }
}

// JSON Web Tokens: three parts of base64url with dots between, the first two of which begin as "{\"" does.
void hideWebTokens(std::string& text) {
    constexpr std::string_view kMark = "eyJ";
    constexpr std::size_t kFewest = 8; // of each part
    for (std::size_t at = 0; (at = text.find(kMark, at)) != std::string::npos;) {
        const bool begins = at == 0 || !isAlnum(text[at - 1]);
        at += kMark.size();
        std::size_t end = endOf(text, at, isOfBase64Url);
        int parts = begins && end - at >= kFewest ? 1 : 0;
        while (parts > 0 && parts < 3 && end < text.size() && text[end] == '.') {
            const std::size_t part = end + 1, partEnd = endOf(text, part, isOfBase64Url);
            if (partEnd - part < kFewest) break;
            end = partEnd;
            ++parts;
        }
        if (parts == 3) hide(text, at, end);
    }
}

// All that follows the head of one, as its end may be cut off.
void hidePrivateKeys(std::string& text) {
    constexpr std::string_view kEnd = "-----END";
    for (const std::string_view head : {"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"})
        for (std::size_t at = 0; (at = text.find(head, at)) != std::string::npos;) {
            at += head.size();
            const std::size_t begin = text.rfind("-----BEGIN", at);
            const bool begins = begin != std::string::npos && text.find(kEnd, begin) >= at;
            const std::size_t end = std::min(text.find(kEnd, at), text.size());
            if (begins && !std::string_view(text).substr(at, end - at).starts_with(kHidden)) hide(text, at, end);
        }
}

enum class Named {
    kNothing,
    kPassword,
    kToken,
    kKey // as a token, by a name that sentences use for nothing else
};

// What a value is by the name before it. That of a token alone is not enough: "eos_token", "max_tokens".
Named namedBy(std::string_view name) {
    const auto ends = [&](std::string_view end) { return name.ends_with(end); };
    constexpr std::array<std::string_view, 5> kPasswords = {"password", "passwd", "passphrase", "passwort", "kennwort"};
    constexpr std::array<std::string_view, 15> kKeys = {
        "apikey",  "accesskey",   "secretkey", "privatekey",  "accesstoken", "authtoken",    "apitoken", "refreshtoken",
        "hftoken", "bearertoken", "hubtoken",  "githubtoken", "gitlabtoken", "sessiontoken", "bottoken"};
    if (std::ranges::any_of(kPasswords, ends)) return Named::kPassword;
    if (std::ranges::any_of(kKeys, ends)) return Named::kKey;
    return name == "token" || ends("secret") || ends("credential") ? Named::kToken : Named::kNothing;
}

// Characters of Chinese, Japanese and Korean, and typographic signs, have a first byte from 0xE0 on: a sentence that
// goes on behind the value.
bool isOfValue(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte < 0xE0 && std::string_view("\"'`\\<>(){}[]|&;,").find(c) == std::string::npos;
}

bool isQuote(char c) {
    return c == '"' || c == '\'';
}

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

constexpr std::size_t kLong = 16; // tokens of services are, names in code and words are seldom

// Letters alone are a word or a name in code ("password=secret", "token=CancellationToken"), unless there are many,
// and written as such a name is not: in one case, or with capitals all over.
bool isRandomWord(std::string_view value) {
    const auto numCapitals =
        static_cast<std::size_t>(std::ranges::count_if(value, [](char c) { return c >= 'A' && c <= 'Z'; }));
    return value.size() >= kLong && std::ranges::all_of(value, isLetter) &&
           (numCapitals == 0 || 3 * numCapitals >= value.size());
}

// "s3_server_2.key", "ed25519.PrivateKey": parts that begin with a letter and have a number at most each.
bool isNameOfCode(std::string_view value) {
    int numParts = 0;
    for (std::size_t at = 0, end = 0; at < value.size(); at = end + 1) {
        end = std::min(value.find_first_of("_.", at), value.size());
        const std::string_view part = value.substr(at, end - at);
        if (part.empty() || isDigit(part.front()) || !std::ranges::all_of(part, isAlnum)) return false;
        const std::size_t number = endOf(part, 0, isLetter), behind = endOf(part, number, isDigit);
        if (hasDigit(part.substr(behind))) return false;
        ++numParts;
    }
    return numParts > 1;
}

// Words with blanks between, as a password in quotes may be; what a password is, or is to be, is told so, too.
bool isPassphrase(std::string_view value) {
    constexpr std::size_t kMost = 128;
    constexpr std::array<std::string_view, 20> kOfDescriptions = {
        "password", "passwort", "passphrase", "kennwort", "your",   "must",      "should",
        "enter",    "please",   "user",       "users",    "login",  "account",   "see",
        "required", "optional", "field",      "here",     "string", "characters"};
    if (value.size() > kMost || value.find_first_of("\"'`\\<>(){}[]|&$%+=") != std::string_view::npos) return false;
    for (std::size_t at = 0, end = 0; at < value.size(); at = end + 1) {
        end = std::min(value.find_first_of(" .,;:!?", at), value.size());
        if (std::ranges::find(kOfDescriptions, simplified(value.substr(at, end - at))) != kOfDescriptions.end())
            return false;
    }
    return true;
}

// By how it is written; `name` as simplified() makes it.
bool isSecretValue(std::string_view value, Named named, std::string_view name) {
    if (isPlaceholder(value, name)) return false;
    if (value.find(' ') != std::string_view::npos) return isPassphrase(value);
    const auto isOfWords = [](char c) {
        return isLetter(c) || isSeparator(c) || static_cast<unsigned char>(c) >= 0x80;
    };
    if (std::ranges::all_of(value, isOfWords)) return isRandomWord(value);
    if (named == Named::kPassword) return value.size() >= 6;
    return value.size() >= 8 && !isNameOfCode(value) && hasDigit(value) && std::ranges::any_of(value, isLetter);
}

// Where a value stands behind its name.
struct Place {
    std::size_t at;
    bool isQuoted;
    bool isLoose; // as a sentence could have it: "token: the first word", "token = next"
};

// Behind a name that ends at `at`. Quotes may be escaped, as in JSON within JSON.
std::optional<Place> valueBehind(std::string_view text, std::size_t at) {
    const auto pass = [&](auto isOf) {
        const std::size_t before = at;
        while (at < text.size() && isOf(text[at]))
            ++at;
        return at > before;
    };
    const auto isEscape = [](char c) { return c == '\\'; };
    pass(isEscape);
    const bool isNameQuoted = at < text.size() && isQuote(text[at]);
    if (isNameQuoted) ++at;
    bool hasBlanks = pass(isBlank);
    const auto* const sign =
        std::ranges::find_if(kAssignments, [&](std::string_view one) { return text.substr(at).starts_with(one); });
    if (sign == kAssignments.end()) return std::nullopt;
    at += sign->size();
    hasBlanks = pass(isBlank) || hasBlanks;
    pass(isEscape);
    const bool isQuoted = at < text.size() && isQuote(text[at]);
    return Place{isQuoted ? at + 1 : at, isQuoted, !isNameQuoted && !isQuoted && (hasBlanks || *sign == ":")};
}

// Whether nothing of a sentence follows: a comment at most.
bool endsLine(std::string_view text, std::size_t at) {
    at = endOf(text, at, isBlank);
    return at == text.size() || text[at] == '\n' || text[at] == '\r' || text[at] == '#' || text[at] == '\\' ||
           isQuote(text[at]);
}

// A quoted value ends with its quote, whatever it is made of. One of a password may have signs in it that else end a
// value, but those that another name follows: "password=one1&user=two".
std::size_t endOfValue(std::string_view text, const Place& place, Named named) {
    const std::size_t end = endOf(text, place.at, isOfValue);
    if (place.isQuoted) {
        const std::size_t quote = text.find_first_of(std::string_view(&text[place.at - 1], 1), place.at);
        const std::size_t blank = endOf(text, place.at, [](char c) { return static_cast<unsigned char>(c) > ' '; });
        const bool isEscaped = quote < text.size() && quote > place.at && text[quote - 1] == '\\';
        const bool isOnLine = quote < std::min(text.find_first_of("\r\n", place.at), text.size());
        const bool isWhole = quote < blank || (named == Named::kPassword && isOnLine);
        return isWhole ? quote - (isEscaped ? 1 : 0) : end;
    }
    if (named != Named::kPassword) return end;
    static constexpr std::string_view kSigns = "&|;,<";
    const auto isOfPassword = [](char c) { return isOfValue(c) || kSigns.find(c) != std::string_view::npos; };
    std::size_t all = endOf(text, end, isOfPassword);
    if (text.substr(end, all - end).find('=') != std::string_view::npos) return end;
    while (all > end && kSigns.find(text[all - 1]) != std::string_view::npos)
        --all;
    return all;
}

// Where the value ends, if it is a secret.
std::optional<std::size_t> endOfSecret(std::string_view text, const Place& place, Named named, std::string_view name) {
    constexpr std::string_view kOfCode = "([{<"; // a call, an index: "sha256(…"
    const std::size_t end = endOfValue(text, place, named);
    const char next = end < text.size() ? text[end] : ' ';
    const bool isClosed = static_cast<unsigned char>(next) <= ' ' || isQuote(next) || next == '\\';
    if (place.isQuoted ? !isClosed : kOfCode.find(next) != std::string_view::npos) return std::nullopt;
    const std::string_view value = text.substr(place.at, end - place.at);
    const bool isKey = named == Named::kKey && std::ranges::count_if(value, isDigit) >= 2;
    const bool isSaid =
        place.isLoose && value.size() < kLong && !isKey && !(named == Named::kPassword && endsLine(text, end));
    return !isSaid && isSecretValue(value, named, name) ? std::optional(end) : std::nullopt;
}

void hideAssigned(std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        if (!isOfToken(text[at])) {
            ++at;
            continue;
        }
        const std::size_t end = endOf(text, at, isOfToken);
        const std::string name = simplified(std::string_view(text).substr(at, end - at));
        const Named named = namedBy(name);
        at = end;
        if (named == Named::kNothing) continue;
        const std::optional<Place> place = valueBehind(text, end);
        const std::optional<std::size_t> valueEnd = place ? endOfSecret(text, *place, named, name) : std::nullopt;
        if (valueEnd) hide(text, place->at, *valueEnd);
    }
}

// As in headers of HTTP. A name and a password make a short one of "Basic".
void hideBearers(std::string& text) {
    for (const std::string_view mark : {"Bearer ", "bearer ", "uthorization: Basic ", "uthorization: basic "}) {
        const std::size_t fewest = mark.front() == 'u' ? 8 : 16;
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
            at += mark.size();
            const std::size_t end = endOf(text, at, isOfValue);
            const std::string_view value = std::string_view(text).substr(at, end - at);
            if (value.size() >= fewest && hasDigit(value)) hide(text, at, end);
        }
    }
}

} // namespace

std::string simplified(std::string_view written) {
    std::string name;
    for (const char c : written)
        if (!isSeparator(c)) name += inLowerCase(c);
    return name;
}

bool isPlaceholder(std::string_view value, std::string_view name) {
    if (value.empty() || std::string_view("/$%:{<[(").find(value.front()) != std::string_view::npos) return true;
    if (value.starts_with("./") || value.starts_with("../") || value.starts_with("~/")) return true;
    if (value.find("://") != std::string_view::npos) return true; // what of an address is a secret is known by itself
    if (value.find("::") != std::string_view::npos) return true;  // a name of code: "Token::Sha256Hash"
    if (std::ranges::all_of(value, [&](char c) { return c == value.front(); })) return true;
    const std::string last = simplified(value.substr(value.rfind('.') + 1)); // of code: "config2.password"
    if (last.size() < value.size() && !last.empty() && (name.ends_with(last) || last.starts_with(name))) return true;
    const std::string letters = simplified(value);
    return letters.starts_with("your") || (value.size() < kLong && letters.starts_with(name));
}

bool isToken(std::string_view value, std::string_view name) {
    return isSecretValue(value, Named::kToken, name);
}

void hideTokens(std::string& text) {
    for (const Form& form : kForms)
        hideForm(text, form);
    hideModelServiceKeys(text);
    hideKeyIds(text);
    hideWebTokens(text);
    hidePrivateKeys(text);
}

void hideNamedSecrets(std::string& text) {
    hideAssigned(text);
    hideBearers(text);
}

} // namespace roundpipe::secret_forms
