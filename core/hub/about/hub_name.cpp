// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/hub_name.h"

#include "base/error.h"
#include "hub/about/hub_page.h"
#include "session/spec/hub_prefix.h"

#include <algorithm>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr const char* kForms = "Write hf:OWNER/NAME, for a dataset hf:OWNER/NAME:SPLIT or hf:OWNER/NAME/SUBSET:SPLIT; "
                               "@REVISION behind the name chooses a branch, a tag or a commit. Or paste the address "
                               "of its page.";
constexpr std::size_t kMaxNameLength = 96;  // the Hub's own limit
constexpr std::size_t kMaxPartLength = 255; // of most file systems
constexpr std::size_t kMaxPathLength = 1024;

bool isAscii(char c, std::string_view others) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

bool isPlain(std::string_view text, std::string_view others) {
    return !text.empty() && text.size() <= kMaxPartLength && text.find("..") == std::string_view::npos &&
           std::ranges::all_of(text, [&](char c) { return isAscii(c, others); });
}

// A part of a repository's name, by the Hub's rules.
bool isNamePart(std::string_view part) {
    return isPlain(part, "-_.") && part.find("--") == std::string_view::npos && !part.ends_with(".git") &&
           isAscii(part.front(), "_") && isAscii(part.back(), "_");
}

[[noreturn]] void refuse(std::string_view whole, const std::string& why) {
    throw invalidInput(fmt::format("'{}' is no name of the Hub: {}.", whole, why), kForms);
}

// What stands behind the last `mark`, taken off.
std::string takeBehind(std::string_view& text, char mark) {
    const std::size_t at = text.rfind(mark);
    if (at == std::string_view::npos) return {};
    const std::string behind(text.substr(at + 1));
    text = text.substr(0, at);
    return behind;
}

} // namespace

std::string HubName::text() const {
    return fmt::format("{}{}{}{}@{}{}{}{}{}", session::kHubPrefix, repository, subset.empty() ? "" : "/", subset,
                       revision, split.empty() ? "" : ":", split, file.empty() ? "" : "#", file);
}

HubName parseHubName(std::string_view text, HubKind kind) {
    HubName name{.kind = kind, .repository = {}, .subset = {}, .split = {}, .file = {}};
    const std::string page = session::hubPageIn(text).empty() ? std::string() : nameOnPage(text, kind);
    std::string_view rest = page.empty() ? text : page;
    const std::size_t mark = rest.find('#');
    if (mark != std::string_view::npos) {
        name.file = rest.substr(mark + 1);
        rest = rest.substr(0, mark);
    }
    if (session::isHubName(rest)) rest.remove_prefix(session::kHubPrefix.size());
    const bool saysSplit = rest.find(':') != std::string_view::npos;
    name.split = takeBehind(rest, ':');
    const bool saysRevision = rest.find('@') != std::string_view::npos;
    if (saysRevision) name.revision = takeBehind(rest, '@');

    const std::size_t slash = rest.find('/');
    const std::size_t second = slash == std::string_view::npos ? slash : rest.find('/', slash + 1);
    name.repository = rest.substr(0, second);
    if (second != std::string_view::npos) name.subset = rest.substr(second + 1);

    const std::string_view repository = name.repository;
    const bool isNamed = slash == std::string_view::npos
                             ? isNamePart(repository)
                             : isNamePart(repository.substr(0, slash)) && isNamePart(repository.substr(slash + 1));
    if (!isNamed || repository.size() > kMaxNameLength)
        refuse(text, fmt::format("'{}' is no owner and name", repository));
    if (saysRevision && (!isPlain(name.revision, "-_./") || !isSafePath(name.revision)))
        refuse(text, fmt::format("'{}' is no revision", name.revision));
    if (second != std::string_view::npos && (kind == HubKind::kModel || !isPlain(name.subset, "-_.+")))
        refuse(text, kind == HubKind::kModel ? std::string("a model has no subset")
                                             : fmt::format("'{}' is no subset", name.subset));
    if (saysSplit && (kind == HubKind::kModel || !isPlain(name.split, "-_.")))
        refuse(text, kind == HubKind::kModel ? std::string("a model has no split")
                                             : fmt::format("'{}' is no split", name.split));
    if (mark != std::string_view::npos && (kind == HubKind::kModel || !isSafePath(name.file)))
        refuse(text, kind == HubKind::kModel ? std::string("a model is more than one file")
                                             : fmt::format("'{}' is no file's name", name.file));
    if (mark != std::string_view::npos && (saysSplit || !name.subset.empty()))
        refuse(text, "one file has no subset and no split");
    return name;
}

bool isCommit(std::string_view text) {
    return text.size() == 40 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool isSafePath(std::string_view path) {
    if (path.empty() || path.size() > kMaxPathLength) return false;
    while (true) {
        const std::string_view part = path.substr(0, path.find('/'));
        const bool isControl = std::ranges::any_of(part, [](char c) { return static_cast<unsigned char>(c) < ' '; });
        if (part.empty() || part == "." || part == ".." || part.size() > kMaxPartLength || isControl) return false;
        if (part.size() == path.size()) return true;
        path.remove_prefix(part.size() + 1);
    }
}

} // namespace roundpipe::hub
