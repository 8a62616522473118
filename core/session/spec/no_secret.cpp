// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/no_secret.h"

#include "base/error.h"
#include "base/secrets.h"

namespace roundpipe::session {

void requireNoSecret(const std::string& what, const std::string& text) {
    const std::string shown = withoutSecrets(text);
    if (shown == text) return;
    throw invalidInput(
        what + " is '" + shown + "', with a password or a token in it.",
        "It would stand in the run's files for everybody to read: leave it out. The Hub's token is taken from "
        "HF_TOKEN, from the file that HF_TOKEN_PATH names, as `hf auth login` left it, or from the "
        "keyring; what lies on another server is fetched first, and named as it lies here.");
}

} // namespace roundpipe::session
