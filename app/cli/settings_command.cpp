// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe settings: every setting of a run, as the manual has them.
#include "commands.h"
#include "exit_codes.h"
#include "session/spec/settings_manual.h"

#include <fmt/format.h>

namespace roundpipe::cli {

CommandBody addSettingsCommand(CLI::App&) {
    return [] {
        fmt::print("{}", session::settingsManual());
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
