// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets that stand in texts: passwords and tokens in addresses, tokens of services by their marks, and values whose
// name says so. What is said, logged or passed on is without them.
#pragma once

#include <string>

namespace roundpipe {

// "https://user:secret@host/a?token=b" is "https://(hidden)@host/a?token=(hidden)"; what follows a mark of a service's
// tokens ("hf_…", "ghp_…"), a name that says so ("password=…") or an option of a program ("mysql -p…") is hidden
// wherever it stands. Of what has none, nothing is changed.
std::string withoutSecrets(std::string text);
bool holdsSecret(const std::string& text);

} // namespace roundpipe
