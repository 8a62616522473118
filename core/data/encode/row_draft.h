// SPDX-License-Identifier: GPL-3.0-or-later
// A row on its way through the encoder: what there is of it when it is dropped half way. Internal to this folder (it
// includes nlohmann-json).
#pragma once

#include "data/encode/row_encoder.h"
#include "data/rows/conversation.h"

#include <optional>

namespace roundpipe::data {

struct RowDraft {
    std::optional<Conversation> conversation; // absent where the row could not be read, or is no chat
    EncodedRow row;                           // text, then tokens, then the mask: as far as it came
};

} // namespace roundpipe::data
