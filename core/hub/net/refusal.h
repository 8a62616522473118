// SPDX-License-Identifier: GPL-3.0-or-later
// What a server's refusal means, in words and with what to do.
#pragma once

#include "base/error.h"
#include "hub/net/http_client.h"

namespace roundpipe::hub {

// For an answer to a question about `name` that did not succeed. The token is not in it, whatever the server says.
Error refusalOf(const HttpAnswer& answer, const HubName& name, const HubSettings& settings);
// The same for a question about no repository.
Error refusalOf(const HttpAnswer& answer, const HubSettings& settings);

} // namespace roundpipe::hub
