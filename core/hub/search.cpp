// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/search.h"

#include "base/error.h"
#include "hub/net/retries.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::hub {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxWords = 200; // characters
constexpr std::size_t kMaxText = 100;  // of what a server says of a repository
constexpr std::string_view kLicence = "license:";

// Printed on terminals and in windows: no control characters, and no more than a column takes.
std::string plainText(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_string()) return {};
    std::string text = *found;
    std::erase_if(text, [](unsigned char c) { return c < ' ' || c >= 0x7F; });
    return text.substr(0, kMaxText);
}

int64_t number(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string licenceOf(const Json& entry) {
    const auto tags = entry.find("tags");
    if (tags == entry.end() || !tags->is_array()) return {};
    for (const Json& tag : *tags)
        if (tag.is_string() && tag.get_ref<const std::string&>().starts_with(kLicence))
            return plainText(Json{{"licence", tag.get<std::string>().substr(kLicence.size())}}, "licence");
    return {};
}

session::HubHit hitOf(const Json& entry) {
    session::HubHit hit{.repository = plainText(entry, "id"),
                        .licence = licenceOf(entry),
                        .changed = plainText(entry, "lastModified").substr(0, std::string_view("2025-04-27").size()),
                        .numDownloads = number(entry, "downloads"),
                        .numLikes = number(entry, "likes")};
    if (const auto config = entry.find("config"); config != entry.end() && config->is_object())
        hit.modelType = plainText(*config, "model_type");
    if (const auto weights = entry.find("safetensors"); weights != entry.end() && weights->is_object())
        hit.numParameters = number(*weights, "total");
    const auto gated = entry.find("gated"); // false, "auto" or "manual"
    hit.isGated = gated != entry.end() && (gated->is_string() || (gated->is_boolean() && gated->get<bool>()));
    return hit;
}

std::string addressOfSearch(const HubSettings& settings, HubKind kind, const std::string& words, int numWanted) {
    std::string url = fmt::format("{}/api/{}s?search={}&sort=downloads&limit={}", settings.endpoint, spellingOf(kind),
                                  urlEncoded(words), numWanted);
    for (const char* const fact : {"downloads", "likes", "gated", "lastModified", "tags"})
        url += fmt::format("&expand={}", fact);
    return kind == HubKind::kModel ? url + "&expand=safetensors&expand=config&filter=safetensors" : url;
}

bool canBeFetched(const session::HubHit& hit, HubKind kind) {
    try {
        parseHubName(hit.repository, kind);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::vector<session::HubHit> search(const HubSettings& given, HubKind kind, const std::string& words, int numWanted,
                                    const std::stop_token& stop) {
    if (given.offline)
        throw invalidInput(
            fmt::format("The network is not to be used ({}), so the Hub cannot be searched.", given.offlineFrom),
            "What the cache holds can be used by its name.");
    if (words.empty() || words.size() > kMaxWords)
        throw invalidInput("A search needs a word or a few.", "Give a part of the name, like qwen3 or openai.");
    const HubSettings settings = given.withKeyring();
    HttpClient client(settings, stop);
    Retries retries(settings, stop);
    const HttpAnswer answer =
        ask(client, {.url = addressOfSearch(settings, kind, words, numWanted)}, {}, settings, retries);
    const Json found = Json::parse(answer.body, nullptr, false);
    if (!found.is_array())
        throw invalidInput(fmt::format("'{}' does not answer as the Hub does.", settings.host()),
                           "See whether HF_ENDPOINT names a mirror of the Hub, and whether a proxy or a log-in page "
                           "stands before it.");
    std::vector<session::HubHit> hits;
    for (const Json& entry : found)
        if (entry.is_object())
            if (session::HubHit hit = hitOf(entry); canBeFetched(hit, kind)) hits.push_back(std::move(hit));
    return hits;
}

} // namespace roundpipe::hub
