// SPDX-License-Identifier: GPL-3.0-or-later
// How the Hub is reached, and where what it gives is kept.
#pragma once

#include "hub/about/hub_name.h"
#include "hub/about/token.h"
#include "session/hub.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace roundpipe::hub {

struct HubSettings {
    std::string endpoint = "https://huggingface.co"; // or a mirror's address; without a slash at its end
    std::filesystem::path cache;                     // Hugging Face's own, shared with its tools
    Token token;
    bool hasKeyring = false; // which may have the token that is not found elsewhere
    bool offline = false;    // only what is in the cache
    std::string offlineFrom; // what says so

    int numConnections = 4;                     // files that are fetched at once
    int numTries = 6;                           // of one file or question, since anything came through
    std::chrono::milliseconds firstDelay{1000}; // before the second try; it doubles from try to try
    std::chrono::seconds longestDelay{300};     // that a server may ask for
    std::chrono::seconds silence{30};           // after which a connection counts as cut

    // By HF_ENDPOINT, HF_HUB_OFFLINE, the cache's and the token's variables, and what saveOffline() kept.
    static HubSettings ofUser();
    // The same with the token out of the desktop's keyring, where there is none elsewhere, the Hub is asked at all and
    // that is encrypted. Waits for the keyring: not for the window's thread.
    HubSettings withKeyring() const;
    std::string host() const;                      // of the endpoint, with its port: "huggingface.co"
    std::string pageOf(const HubName& name) const; // "https://huggingface.co/datasets/openai/gsm8k"
    session::HubAbout about() const;
};

// Whether to stay off the network, kept in hub.json of the user's configuration folder; throws kIo.
void saveOffline(bool offline);

} // namespace roundpipe::hub
