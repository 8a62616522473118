// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/hub_settings.h"

#include "base/error.h"
#include "base/file.h"
#include "base/user_folders.h"
#include "hub/about/keyring.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxSettingsBytes = 1 << 16;

fs::path settingsFile() {
    return userConfigFolder() / "hub.json";
}

// As Hugging Face's tools read it: 1, ON, YES and TRUE in any letters.
bool saysYes(const char* value) {
    std::string text = value;
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text == "1" || text == "ON" || text == "YES" || text == "TRUE";
}

void readOffline(HubSettings& settings) {
    for (const char* const name : {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"}) {
        const char* const value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        settings.offline = saysYes(value);
        settings.offlineFrom = settings.offline ? name : "";
        return;
    }
    const fs::path file = settingsFile();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return;
    const auto kept = nlohmann::json::parse(readTextFile(file, kMaxSettingsBytes), nullptr, false);
    if (!kept.is_object() || !kept.contains("offline") || !kept["offline"].is_boolean())
        throw invalidInput(fmt::format("'{}' does not say whether to stay offline.", file.string()),
                           "It should hold {\"offline\": true} or {\"offline\": false}; remove it to begin anew.");
    settings.offline = kept["offline"];
    settings.offlineFrom = settings.offline ? file.string() : "";
}

std::string endpointOf(const char* given) {
    std::string endpoint = given;
    while (endpoint.ends_with('/'))
        endpoint.pop_back();
    const bool isAddress = endpoint.starts_with("https://") || endpoint.starts_with("http://");
    const bool isPlain = std::ranges::all_of(endpoint, [](char c) { return c > ' ' && c < 0x7F && c != '@'; });
    if (!isAddress || !isPlain || endpoint.ends_with(':'))
        throw invalidInput("HF_ENDPOINT holds no address of a server.",
                           "Write it like https://huggingface.co, without a name or a password in it, or unset it.");
    return endpoint;
}

} // namespace

HubSettings HubSettings::ofUser() {
    HubSettings settings;
    if (const char* const endpoint = std::getenv("HF_ENDPOINT"); endpoint != nullptr && *endpoint != '\0')
        settings.endpoint = endpointOf(endpoint);
    settings.cache = huggingFaceCache();
    settings.token = Token::find();
    settings.hasKeyring = true;
    readOffline(settings);
    return settings;
}

HubSettings HubSettings::withKeyring() const {
    HubSettings complete = *this;
    complete.hasKeyring = false; // asked now
    const bool mayAsk = hasKeyring && token.empty() && !offline && endpoint.starts_with("https://");
    if (const auto secret = mayAsk ? secretInKeyring(host()) : std::nullopt; secret && !secret->empty())
        complete.token = Token(*secret, "the desktop's keyring");
    return complete;
}

std::string HubSettings::host() const {
    const std::size_t begin = endpoint.find("://") + 3;
    return endpoint.substr(begin, endpoint.find('/', begin) - begin);
}

std::string HubSettings::pageOf(const HubName& name) const {
    return fmt::format("{}/{}{}", endpoint, name.kind == HubKind::kDataset ? "datasets/" : "", name.repository);
}

session::HubAbout HubSettings::about() const {
    return {host(), cache.string(), token.from(), offline, offlineFrom};
}

void saveOffline(bool offline) {
    std::error_code failed;
    fs::create_directories(userConfigFolder(), failed);
    if (failed) throw ioError("make", userConfigFolder(), failed.value());
    writeFileAtomically(settingsFile(), nlohmann::json{{"offline", offline}}.dump() + "\n");
}

} // namespace roundpipe::hub
