// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what a template makes of a part of a conversation: the conversation is rendered a second time with markers in
// the place of that part, and what stands around the markers is looked for in the true text. Internal to this folder
// (it includes nlohmann-json).
#pragma once

#include "data/rows/conversation.h"
#include "text/tokenizer.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roundpipe::data {

using text::Span;
using RenderMessages = std::function<std::string(const Json& messages)>;

// The beginning of markers, which does not stand in `rendered`: letters and digits, which no template changes.
std::string freshPrefix(const std::string& rendered);

// What stands between `marks`, which ascend: one piece before each, one after the last.
std::vector<std::string> piecesAround(const std::string& text, const std::vector<Span>& marks);

struct Mismatch {
    std::size_t piece = 0;    // that does not stand where it should
    bool isAmbiguous = false; // it does, in more than one place
};

// What lies between the pieces in `text`, where the first one stands at the start and the last one at the end: fitted
// as early and as late as they go, and one way only if both agree.
std::variant<std::vector<Span>, Mismatch> fitPieces(const std::string& text, const std::vector<std::string>& pieces);

// Where the content of one message stands; nothing where the template does not print it once, or changes other text
// with it.
std::optional<Span> contentSpan(std::size_t message, const Conversation& conversation, const std::string& rendered,
                                const RenderMessages& render);

// The same of several messages, ascending, in one rendering; nothing where it cannot tell all of them.
std::optional<std::vector<Span>> contentSpans(std::span<const std::size_t> messages, const Conversation& conversation,
                                              const std::string& rendered, const RenderMessages& render);

// A template that refuses the markers costs the row: throws RowProblem (kMask).
std::string renderMarked(const Json& messages, const RenderMessages& render);

} // namespace roundpipe::data
