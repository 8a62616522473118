// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes rows that are no chat: tokens and mask. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/encode/row_encoder.h"
#include "data/rows/conversation.h"

namespace roundpipe::data {

// Fills `row`. The pieces are encoded as one text; a token is trained if at least one of its bytes lies in
// a piece that is. EOS follows where the text is whole, and is trained.
void encodePlain(PlainText plain, const text::Tokenizer& tokenizer, TrainOn trainOn, EncodedRow& row);

} // namespace roundpipe::data
