// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop's keyring (GNOME's, KDE's and others by the Secret Service), where it is there: an optional part, loaded
// when it is asked.
#pragma once

#include <optional>
#include <string>

namespace roundpipe::hub {

// What the keyring holds for `host` as git keeps it: an item with the attributes protocol=https and server=`host`. An
// item that is locked is not unlocked, so nobody is asked for a password. Nothing where there is none, no keyring, no
// session of a desktop or no libsecret. Waits for the keyring's program, seconds where that has to be started: not for
// the window's thread.
std::optional<std::string> secretInKeyring(const std::string& host);

} // namespace roundpipe::hub
