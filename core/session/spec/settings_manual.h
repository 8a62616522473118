// SPDX-License-Identifier: GPL-3.0-or-later
// The manual's page of all settings, made from the table of fields: what it says of a setting is what the program does.
#pragma once

#include <string>

namespace roundpipe::session {

// Markdown, with a heading for each field that is its key. resources/manual/settings.md is this text.
std::string settingsManual();

} // namespace roundpipe::session
