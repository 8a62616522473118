// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/hub_page.h"

#include "base/error.h"
#include "session/spec/hub_prefix.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::hub {
namespace {

using session::HubKind;

constexpr const char* kDatasets = "datasets";
// First parts of addresses that lead to no repository, or to one of another kind.
constexpr std::string_view kOtherPages[] = {"blog",   "chat", "collections", "docs",    "join",     "learn",  "login",
                                            "models", "new",  "papers",      "pricing", "settings", "spaces", "tasks"};
// What may follow a repository's name.
constexpr std::string_view kViews[] = {"blob",    "commit",   "commits", "discussions", "raw",
                                       "resolve", "settings", "tree",    "viewer"};

template <std::size_t n>
bool isOneOf(const std::string& part, const std::string_view (&names)[n]) {
    return std::ranges::find(names, part) != std::end(names);
}

// %2F is a slash; nothing where a % means nothing.
std::optional<std::string> decoded(std::string_view text) {
    std::string result;
    for (; !text.empty(); text.remove_prefix(1)) {
        result += text.front();
        if (text.front() != '%') continue;
        unsigned code = 0;
        const char* const digits = text.data() + 1;
        if (text.size() < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) return std::nullopt;
        result.back() = static_cast<char>(code);
        text.remove_prefix(2);
    }
    return result;
}

[[noreturn]] void refuse(std::string_view address, const char* why, const char* advice) {
    throw invalidInput(fmt::format("'{}' {}.", address, why), advice);
}

std::vector<std::string> partsOf(std::string_view address) {
    std::string_view path = session::hubPageIn(address);
    path = path.substr(0, path.find_first_of("?#"));
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const auto part = decoded(path.substr(0, end));
        if (!part) refuse(address, "is no address of a page: a % in it stands for no character", "Copy it again.");
        if (!part->empty()) parts.push_back(*part);
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

} // namespace

std::string nameOnPage(std::string_view address, HubKind kind) {
    constexpr const char* kAdvice = "Open the page of the model or the dataset itself, and copy its address.";
    std::vector<std::string> parts = partsOf(address);
    const bool isOfDataset = !parts.empty() && parts.front() == kDatasets;
    if (isOfDataset) parts.erase(parts.begin());
    if (parts.empty() || (!isOfDataset && isOneOf(parts.front(), kOtherPages)))
        refuse(address, "is the page of no model and no dataset", kAdvice);
    if (isOfDataset != (kind == HubKind::kDataset))
        refuse(address,
               isOfDataset ? "is the page of a dataset, and a model is wanted here"
                           : "is the page of a model, and a dataset is wanted here",
               kAdvice);

    // Old repositories have no owner: what follows their name shows it.
    const std::size_t numOfName = parts.size() == 1 || isOneOf(parts[1], kViews) ? 1 : 2;
    std::string name = fmt::format("{}", fmt::join(parts.begin(), parts.begin() + static_cast<int>(numOfName), "/"));
    const auto part = [&](std::size_t i) { return numOfName + i < parts.size() ? parts[numOfName + i] : ""; };
    if (part(0) == "viewer") {
        if (!part(1).empty() && part(1) != "default") name += "/" + part(1);
        return part(2).empty() ? name : name + ":" + part(2);
    }
    const bool hasRevision = isOneOf(part(0), kViews) && part(0) != "discussions" && part(0) != "settings";
    if (!hasRevision || part(1).empty()) return name;
    name += "@" + part(1);
    const bool isFile = part(0) == "blob" || part(0) == "raw" || part(0) == "resolve";
    if (!isFile || part(2).empty() || !isOfDataset) return name;
    return name + "#" + fmt::format("{}", fmt::join(parts.begin() + static_cast<int>(numOfName) + 2, parts.end(), "/"));
}

} // namespace roundpipe::hub
