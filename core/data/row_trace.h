// A row on its way through the encoder: what there is of it when it is dropped half way. Internal to this folder (it
// includes nlohmann-json).
#pragma once

#include "data/conversation.h"
#include "data/row_encoder.h"

#include <optional>

namespace roundpipe::data {

struct RowTrace {
    std::optional<Conversation> conversation; // absent where the row could not be read
    EncodedRow row;                           // text, then tokens, then the mask: as far as it came
};

} // namespace roundpipe::data
