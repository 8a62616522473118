// SPDX-License-Identifier: GPL-3.0-or-later
// Asking again after what may pass.
#pragma once

#include "hub/net/http_client.h"

#include <functional>
#include <stop_token>

namespace roundpipe::hub {

// Of one file or one question; for one thread.
class Retries {
public:
    // `onWait(seconds)` is told before each wait, and 0 after it.
    using OnWait = std::function<void(double seconds)>;
    Retries(const HubSettings& settings, std::stop_token stop, OnWait onWait = {});

    // Waits: as long as the server asks, else twice as long as the last time, each a little different, so that many
    // who were cut off do not come back at once. False where there were tries enough, or the server asks for more
    // patience than settings.longestDelay. Throws kCancelled.
    bool waitAfter(const HttpAnswer& answer);
    void gotThrough() { m_numTries = 0; } // something came: the next failure is the first again

private:
    const HubSettings& m_settings;
    std::stop_token m_stop;
    OnWait m_onWait;
    int m_numTries = 0;
};

// The answer to a question about `name`, asked again while that may help; throws what refusalOf() says. The body is
// whole.
HttpAnswer ask(HttpClient& client, const HttpQuestion& question, const HubName& name, const HubSettings& settings,
               Retries& retries);

} // namespace roundpipe::hub
