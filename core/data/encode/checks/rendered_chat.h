// SPDX-License-Identifier: GPL-3.0-or-later
// Plain texts that hold whole chats, as another program has rendered them: told by what the model's chat template
// writes before an answer of the assistant.
#pragma once

#include "data/options.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {

// Immutable: any number of threads may ask.
class RenderedChat {
public:
    // Renders a short chat. Of no template, or one that refuses it, nothing is a chat.
    RenderedChat(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    bool isIn(std::string_view text) const;
    // What stands around the assistant's turns, for data.turn_begin and data.turn_end; empty where nothing is a chat.
    const TurnMarkers& turns() const { return m_turns; }

private:
    TurnMarkers m_turns;
    std::vector<std::string> m_marks; // each of them tells
};

} // namespace roundpipe::data
