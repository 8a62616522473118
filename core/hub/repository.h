// SPDX-License-Identifier: GPL-3.0-or-later
// What the Hub says of a repository: its commit, and the files of that.
#pragma once

#include "hub/net/retries.h"
#include "hub/store/listing.h"

namespace roundpipe::hub {

// Asks it; throws as refusalOf() says, and kInvalidInput for an answer that cannot be.
Listing listRepository(HttpClient& client, const HubName& name, const HubSettings& settings, Retries& retries);

// Where a file's content is.
std::string addressOf(const HubFile& file, const HubName& name, const std::string& commit, const HubSettings& settings);

} // namespace roundpipe::hub
