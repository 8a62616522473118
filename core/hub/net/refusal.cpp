// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/net/refusal.h"

#include <algorithm>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr std::size_t kMaxQuoted = 300;
constexpr const char* kLogIn = "save an access token (hf auth login, or HF_TOKEN)";

// What the server says of it, as a sentence of its own behind ours; nothing where it says nothing fit to print.
std::string quoted(const HttpAnswer& answer, const HubSettings& settings) {
    std::string said = settings.token.redacted(answer.header("x-error-message")).substr(0, kMaxQuoted);
    std::erase_if(said, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
    return said.empty() ? "" : fmt::format(" The server says: {}", said);
}

std::string whatIs(const HubName& name) {
    return fmt::format("{} '{}'", spellingOf(name.kind), name.repository);
}

Error gated(const HttpAnswer& answer, const HubName& name, const HubSettings& settings) {
    const std::string page = settings.pageOf(name);
    const std::string first = fmt::format("The {} is gated: its owners want their terms accepted first.", whatIs(name));
    if (settings.token.empty())
        return invalidInput(first, fmt::format("Visit {} and accept them there, {}, and fetch again.", page, kLogIn));
    return invalidInput(first + quoted(answer, settings),
                        fmt::format("Visit {} with the account that the token from '{}' belongs to: accept the terms "
                                    "there, or wait until your request is granted. A fine-grained token must also be "
                                    "allowed to read gated repositories.",
                                    page, settings.token.from()));
}

Error notFound(const HubName& name, const HubSettings& settings) {
    const char* const advice = settings.token.empty()
                                   ? "See whether it is spelled as on its page. For a private one, {} first."
                                   : "See whether it is spelled as on its page, and whether your token may read it.";
    return invalidInput(fmt::format("'{}' has no {}, or does not show it.", settings.host(), whatIs(name)),
                        fmt::format(fmt::runtime(advice), kLogIn));
}

Error unreachable(const HttpAnswer& answer, const HubSettings& settings) {
    const char* const advice =
        "Try again later: of a fetch, what came so far is kept. What is in the cache already can be used "
        "without the network (HF_HUB_OFFLINE=1).";
    const std::string host = answer.host.empty() ? settings.host() : answer.host;
    if (!answer.failure.empty())
        return {ErrorKind::kIo, fmt::format("'{}' cannot be reached: {}.", host, answer.failure), advice};
    if (answer.status == 429)
        return {ErrorKind::kIo, fmt::format("'{}' has had too many questions from here for now (429).", host),
                settings.token.empty() ? fmt::format("Wait a few minutes. Who has logged in may ask more: {}.", kLogIn)
                                       : std::string("Wait a few minutes, then fetch again.")};
    return {ErrorKind::kIo,
            fmt::format("'{}' answers with an error of its own ({}).{}", host, answer.status, quoted(answer, settings)),
            advice};
}

} // namespace

Error refusalOf(const HttpAnswer& answer, const HubSettings& settings) {
    if (answer.mayPass()) return unreachable(answer, settings);
    if (answer.status == 401 && !settings.token.empty())
        return invalidInput(fmt::format("'{}' does not know the token from '{}'.", answer.host, settings.token.from()),
                            "It may have been revoked or have expired: log in again (hf auth login), or unset it.");
    return {ErrorKind::kIo, fmt::format("'{}' refuses ({}).{}", answer.host, answer.status, quoted(answer, settings)),
            "See whether HF_ENDPOINT names a mirror of the Hub."};
}

Error refusalOf(const HttpAnswer& answer, const HubName& name, const HubSettings& settings) {
    const std::string code = answer.header("x-error-code");
    const bool isTokenUnknown = answer.header("x-error-message").find("Invalid credentials") != std::string::npos;
    if (answer.mayPass() || (answer.status == 401 && isTokenUnknown)) return refusalOf(answer, settings);
    if (code == "GatedRepo") return gated(answer, name, settings);
    if (code == "RevisionNotFound")
        return invalidInput(fmt::format("The {} has no revision '{}'.", whatIs(name), name.revision),
                            fmt::format("Its branches, tags and commits are on {}.", settings.pageOf(name)));
    if (code == "EntryNotFound")
        return invalidInput(fmt::format("A file of the {} is gone from the Hub.", whatIs(name)), "Fetch it again.");
    if (answer.status == 401 || answer.status == 404) return notFound(name, settings);
    if (answer.status == 403)
        return invalidInput(
            fmt::format("You may not read the {}.{}", whatIs(name), quoted(answer, settings)),
            settings.token.empty()
                ? fmt::format("Visit {} to see what it asks for, and {}.", settings.pageOf(name), kLogIn)
                : fmt::format("Visit {} to see what it asks for, and whether the token from '{}' has "
                              "the permission to read it.",
                              settings.pageOf(name), settings.token.from()));
    return refusalOf(answer, settings);
}

} // namespace roundpipe::hub
