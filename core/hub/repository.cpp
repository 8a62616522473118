// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/repository.h"

#include "base/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::hub {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFiles = 200'000;

std::string api(const HubName& name, const HubSettings& settings) {
    return fmt::format("{}/api/{}s/{}", settings.endpoint, spellingOf(name.kind), urlEncoded(name.repository, "/"));
}

Error unreadable(const HubSettings& settings) {
    return invalidInput(fmt::format("'{}' does not answer as the Hub does.", settings.host()),
                        "See whether HF_ENDPOINT names a mirror of the Hub, and whether a proxy or a log-in page "
                        "stands before it.");
}

// The question of the link to the next page; nothing on the last one. The address is ours: a mirror's links may lead
// back to the Hub itself.
std::string nextPage(const HttpAnswer& answer) {
    const std::string links = answer.header("link");
    const std::size_t next = links.find("rel=\"next\"");
    if (next == std::string::npos) return {};
    const std::size_t begin = links.rfind('<', next), end = links.find('>', begin);
    const std::size_t question = links.find('?', begin);
    return begin == std::string::npos || question > end ? "" : links.substr(question, end - question);
}

HubFile listedFile(const Json& entry) {
    HubFile file{.path = entry.at("path"), .sizeBytes = entry.at("size"), .gitName = entry.at("oid")};
    if (const auto large = entry.find("lfs"); large != entry.end() && large->is_object()) {
        file.sha256 = large->at("oid");
        file.sizeBytes = large->at("size");
    }
    if (const auto chunks = entry.find("xetHash"); chunks != entry.end() && chunks->is_string()) file.xetHash = *chunks;
    checkFile(file);
    return file;
}

} // namespace

Listing listRepository(HttpClient& client, const HubName& name, const HubSettings& settings, Retries& retries) {
    const auto json = [&](const HttpAnswer& answer) { return Json::parse(answer.body); };
    try {
        const std::string about = fmt::format("{}/revision/{}", api(name, settings), urlEncoded(name.revision));
        Listing listing{.commit = json(ask(client, {.url = about}, name, settings, retries)).at("sha"), .files = {}};
        if (!isCommit(listing.commit)) throw unreadable(settings);
        const std::string tree = fmt::format("{}/tree/{}", api(name, settings), listing.commit);
        for (std::string page = "?recursive=true&expand=false"; !page.empty();) {
            const HttpAnswer answer = ask(client, {.url = tree + page}, name, settings, retries);
            for (const Json& entry : json(answer))
                if (entry.at("type") == "file") listing.files.push_back(listedFile(entry));
            if (listing.files.size() > kMaxFiles)
                throw unsupported(fmt::format("'{}' has more than {} files.", name.repository, kMaxFiles),
                                  "Fetch the files that you need with another tool.");
            const std::string next = nextPage(answer);
            if (next == page) throw unreadable(settings);
            page = next;
        }
        return listing;
    } catch (const Json::exception&) {
        throw unreadable(settings);
    }
}

std::string addressOf(const HubFile& file, const HubName& name, const std::string& commit,
                      const HubSettings& settings) {
    return fmt::format("{}/{}{}/resolve/{}/{}", settings.endpoint, name.kind == HubKind::kDataset ? "datasets/" : "",
                       urlEncoded(name.repository, "/"), commit, urlEncoded(file.path, "/"));
}

} // namespace roundpipe::hub
