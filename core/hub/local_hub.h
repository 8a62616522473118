// SPDX-License-Identifier: GPL-3.0-or-later
// session::Hub in this process.
#pragma once

#include "hub/about/hub_settings.h"
#include "session/hub.h"

#include <functional>
#include <memory>

namespace roundpipe::hub {

// The settings are read anew for each question, so that a log-in in between counts.
using ReadSettings = std::function<HubSettings()>;
std::unique_ptr<session::Hub> makeLocalHub(ReadSettings readSettings = HubSettings::ofUser);

} // namespace roundpipe::hub
