// SPDX-License-Identifier: GPL-3.0-or-later
// An exchange as one more row of a data file.
#pragma once

#include "session/chat.h"

#include <filesystem>
#include <span>

namespace roundpipe::data {

// Appends a row of OpenAI's messages to a JSONL file, which need not be there yet: all of the row, flushed to the disk,
// or nothing. Throws kInvalidInput where the file is no JSONL by its name, or its rows are written otherwise; kIo,
// kNoSpace. Processes that append at once wait for each other.
void appendMessagesRow(const std::filesystem::path& file, std::span<const session::ChatMessage> messages);

} // namespace roundpipe::data
