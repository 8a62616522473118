// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/turn_spans.h"

#include "base/error.h"
#include "data/encode/spans/find_text.h"
#include "data/encode/spans/marked_turn.h"
#include "data/rows/tool_calls.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

// Fits the pieces around the turns into the true text.
std::vector<Span> fit(const std::string& text, const std::vector<std::string>& pieces,
                      const std::vector<MarkedTurn>& turns) {
    auto fitted = fitPieces(text, pieces);
    if (const Mismatch* misfit = std::get_if<Mismatch>(&fitted))
        throw unclearTurn(turns[std::min(misfit->piece, turns.size() - 1)].message,
                          misfit->isAmbiguous ? RowRemark::kTurnReadTwoWays : RowRemark::kTurnChanged);
    return std::get<std::vector<Span>>(std::move(fitted));
}

// A template may know no tool calls, and would then teach the model to say nothing in their place.
void checkCalls(const Json& message, const MarkedTurn& turn, std::string_view written) {
    if (!message.contains("tool_calls") || message["tool_calls"].is_null()) return;
    std::size_t from = 0; // they are printed in their order, as a rule
    for (const Json& call : message["tool_calls"]) {
        const Json& function = functionOf(call);
        if (!function.contains("name") || !function["name"].is_string()) continue;
        const std::string& name = function["name"].get_ref<const std::string&>();
        const std::size_t at = findText(written, name, from);
        if (at == std::string_view::npos && findText(written, name) == std::string_view::npos)
            throw RowProblem(DropReason::kCallLost, Remark(RowRemark::kCallNotPrinted, turn.message + 1));
        if (at != std::string_view::npos) from = at + name.size();
    }
}

} // namespace

std::vector<Span> assistantSpans(const Conversation& conversation, const std::string& rendered,
                                 const RenderMessages& render) {
    RP_CHECK(!conversation.assistants.empty());
    const std::string prefix = freshPrefix(rendered);
    Json messages = Json::array();
    std::vector<MarkedTurn> turns;
    for (const Json& message : conversation.messages) {
        const std::size_t index = messages.size();
        if (turns.size() == conversation.assistants.size() || conversation.assistants[turns.size()] != index) {
            messages.push_back(message);
            continue;
        }
        turns.push_back(markedTurn(index, prefix));
        messages.push_back(marked(message, turns.back()));
    }
    const std::string text = renderMarked(messages, render);
    const MarkerPlaces places(text, prefix);
    std::vector<Span> marks;
    for (const MarkedTurn& turn : turns)
        marks.push_back(turnIn(places, turn, marks.empty() ? 0 : marks.back().end));
    std::vector<Span> spans = fit(rendered, piecesAround(text, marks), turns);
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const Json& message = conversation.messages[turns[i].message];
        const auto written = std::string_view(rendered).substr(spans[i].begin, spans[i].end - spans[i].begin);
        checkCalls(message, turns[i], written);
        requireUnchanged(message, turns[i], written);
    }
    return spans;
}

} // namespace roundpipe::data
