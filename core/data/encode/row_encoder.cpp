// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/row_encoder.h"

#include "base/error.h"
#include "data/encode/checks/call_check.h"
#include "data/encode/checks/unprinted.h"
#include "data/encode/plain_encoder.h"
#include "data/encode/row_draft.h"
#include "data/encode/row_renderer.h"
#include "data/encode/spans/blanks.h"
#include "data/encode/spans/call_spans.h"
#include "data/encode/spans/token_mask.h"
#include "data/encode/spans/tool_answers.h"
#include "data/encode/spans/turn_markers.h"
#include "data/encode/spans/turn_spans.h"
#include "data/in_part.h"
#include "data/rows/answer_tags.h"
#include "data/rows/columns/row_format.h"
#include "data/rows/message_list.h"
#include "data/rows/thoughts.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

// The ways in which a row is given to its template, until one is not refused: some want arguments as JSON in strings
// (DeepSeek), some a text in the place of null (Qwen3) and calls as OpenAI writes them (Llama), some ids of nine
// letters and digits (Mistral).
struct Reading {
    bool givesIds;
    Arguments arguments;
    bool completesCalls;
};
constexpr Reading kReadings[] = {{false, Arguments::kParsed, false},  {false, Arguments::kParsed, true},
                                 {false, Arguments::kAsTexts, false}, {false, Arguments::kAsTexts, true},
                                 {true, Arguments::kParsed, false},   {true, Arguments::kParsed, true},
                                 {true, Arguments::kAsTexts, false},  {true, Arguments::kAsTexts, true}};

// Where the completion begins: as the row says, or behind the last message of a user.
std::size_t completionOf(const Conversation& conversation) {
    if (conversation.completion) return *conversation.completion;
    std::size_t index = conversation.messages.size();
    while (index > 0 && conversation.messages[index - 1].value("role", Json()) != "user")
        --index;
    return index;
}

// Per turn of the assistant: chosen by data.train_on, and not switched off by the row.
std::vector<bool> chosenTurns(const Conversation& conversation, TrainOn trainOn) {
    std::vector<bool> chosen = conversation.wanted;
    if (trainOn == TrainOn::kLastAssistant) std::fill(chosen.begin(), chosen.end() - 1, false);
    if (trainOn == TrainOn::kCompletion) {
        const std::size_t completion = completionOf(conversation);
        for (std::size_t i = 0; i < chosen.size(); ++i)
            chosen[i] = chosen[i] && conversation.assistants[i] >= completion;
    }
    return chosen;
}

std::vector<Span> wantedOf(const std::vector<Span>& spans, const Conversation& conversation, TrainOn trainOn) {
    const std::vector<bool> chosen = chosenTurns(conversation, trainOn);
    if (std::ranges::find(chosen, false) == chosen.end()) return spans;
    if (spans.size() != chosen.size())
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kOtherNumberOfSpans, spans.size(), chosen.size()));
    std::vector<Span> wanted;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (chosen[i]) wanted.push_back(spans[i]);
    return wanted;
}

bool spellsOut(const Json& value, const std::string& marker) {
    if (value.is_structured())
        return std::ranges::any_of(value, [&](const Json& item) { return spellsOut(item, marker); });
    return value.is_string() && value.get_ref<const std::string&>().find(marker) != std::string::npos;
}

// A thought or a call that spells a marker out: it might end the turn that it stands in. Where the template prints them
// is not looked for, as such rows are rare.
void requireNoMarkerIn(const Json& message, std::size_t index, const std::string& marker) {
    for (const char* field : {kThoughtFields[0], kThoughtFields[1], "tool_calls"})
        if (const auto found = message.find(field); found != message.end() && spellsOut(*found, marker))
            throw RowProblem(DropReason::kMask, Remark(RowRemark::kMarkerSpelledOut, index + 1, marker));
}

// Where contents spell a marker out themselves: there it marks nothing.
std::vector<Span> contentsWith(const TurnMarkers& markers, const Conversation& conversation, const std::string& text,
                               const RenderMessages& render) {
    std::vector<Span> spans;
    for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
        for (const std::string& marker : {markers.begin, markers.end})
            requireNoMarkerIn(conversation.messages[i], i, marker);
        const auto content = conversation.messages[i].find("content");
        if (content == conversation.messages[i].end() || !content->is_string()) continue;
        for (const std::string& marker : {markers.begin, markers.end}) {
            if (content->get_ref<const std::string&>().find(marker) == std::string::npos) continue;
            const auto span = contentSpan(i, conversation, text, render);
            if (!span) throw RowProblem(DropReason::kMask, Remark(RowRemark::kMarkerSpelledOut, i + 1, marker));
            spans.push_back(*span);
            break;
        }
    }
    return spans;
}

// Behind a thought that the message does not have and that says nothing, as Qwen3's template puts one before an answer:
// nobody wrote it.
Span withoutEmptyThought(const Span& span, const std::string& text, const Json& message) {
    const auto written = std::string_view(text).substr(span.begin, span.end - span.begin);
    const auto content = message.find("content");
    const bool isOwn =
        content != message.end() && content->is_string() && beginsWithThought(content->get_ref<const std::string&>());
    const auto split = splitContent(written);
    if (isOwn || !split || !beginsWithThought(written) || split->thought.begin < split->thought.end) return span;
    return {span.begin + split->answer, span.end};
}

std::vector<Span> turnsBetween(const std::string& text, const TurnMarkers& markers, const Conversation& conversation,
                               const RenderMessages& render) {
    std::vector<Span> spans = spansBetween(text, markers, contentsWith(markers, conversation, text, render));
    if (spans.size() != conversation.assistants.size()) // a text that holds the marker must not become an answer
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kOtherNumberOfMarkers, markers.begin, spans.size(),
                                                   conversation.assistants.size()));
    for (std::size_t i = 0; i < spans.size(); ++i)
        spans[i] = withoutEmptyThought(spans[i], text, conversation.messages[conversation.assistants[i]]);
    return spans;
}

std::string generatedText(const text::Rendered& rendered) {
    std::string text;
    for (const Span& span : rendered.generationSpans)
        text += rendered.text.substr(span.begin, span.end - span.begin) + "\n";
    return text;
}

RowProblem takesTooLong(const text::TemplateSpent& spent) {
    return {DropReason::kTemplate, Remark(RowRemark::kTemplateSpent, spent.message())};
}

bool callsTools(const Conversation& conversation) {
    return std::ranges::any_of(conversation.messages,
                               [](const Json& message) { return message.contains("tool_calls"); });
}

bool hasThoughtBesideCalls(const Conversation& conversation) {
    return std::ranges::any_of(conversation.messages, [](const Json& message) {
        const auto content = message.find("content");
        return message.contains("tool_calls") && content != message.end() && content->is_string() &&
               beginsWithThought(content->get_ref<const std::string&>());
    });
}

// Trained turns in which nothing but special tokens and blanks stands.
int64_t numWithoutWords(const EncodedRow& row) {
    std::size_t first = 0; // that may stand in a span
    return std::ranges::count_if(row.turns, [&](const Span& span) {
        while (first < row.ids.size() && row.offsets[first].end <= span.begin)
            ++first;
        for (std::size_t i = first; i < row.ids.size() && row.offsets[i].begin < span.end; ++i) {
            const auto [begin, end] = Span(row.offsets[i]);
            const std::string_view piece = std::string_view(row.text).substr(begin, end - begin);
            const bool isInside = std::max(begin, span.begin) < std::min(end, span.end);
            if (isInside && !row.isSpecial[i] && !stripped(piece).empty()) return false;
        }
        return true;
    });
}

// By its message: tags may take in what a template writes around a turn, such as gpt-oss's name of the channel.
bool saysNothing(const Json& message) {
    const auto hasWords = [&](const char* field) {
        const auto found = message.find(field);
        return found != message.end() && found->is_string() && !stripped(found->get_ref<const std::string&>()).empty();
    };
    const auto calls = message.find("tool_calls");
    if ((calls != message.end() && !calls->empty()) || std::ranges::any_of(kThoughtFields, hasWords)) return false;
    if (!hasWords("content")) return true;
    const auto& content = message.find("content")->get_ref<const std::string&>();
    const auto split = splitContent(content);
    return split && split->lead == 0 && split->thought.begin == split->thought.end && split->answer == content.size();
}

// Trained turns that are nothing but their end, by what stands there or by what was to be said.
int64_t numEmptyTurns(const Conversation& conversation, TrainOn trainOn, const EncodedRow& row) {
    const std::vector<bool> chosen = chosenTurns(conversation, trainOn);
    int64_t number = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        number += chosen[i] && saysNothing(conversation.messages[conversation.assistants[i]]);
    return std::max(number, numWithoutWords(row));
}

void noteTags(const Json& row, DataFormat format, EncodedRow& encoded) {
    for (const char* column : kAnswerTags) {
        const AnswerTag tag = answerTagIn(row, column, format);
        encoded.isTaggedGood = encoded.isTaggedGood || tag == AnswerTag::kGood;
        encoded.hasUnclearTag = encoded.hasUnclearTag || tag == AnswerTag::kUnclear;
    }
}

// "user, critic", each once.
std::string rolesOf(const Json& messages) {
    std::vector<std::string> roles;
    for (const Json& message : messages)
        if (std::string role = inPartOnOneLine(message["role"].get<std::string>());
            std::ranges::find(roles, role) == roles.end())
            roles.push_back(std::move(role));
    return inPart(fmt::format("{}", fmt::join(roles, ", ")));
}

} // namespace

RowEncoder::RowEncoder(const DataOptions& options, const text::Tokenizer& tokenizer,
                       const text::ChatTemplate& chatTemplate)
    : m_options(options)
    , m_tokenizer(tokenizer)
    , m_template(chatTemplate)
    , m_thoughtPlace(thoughtPlaceOf(chatTemplate.source(false)))
    , m_thoughtPlaceWithTools(thoughtPlaceOf(chatTemplate.source(true)))
    , m_renderedChat(options, tokenizer, chatTemplate) {}

void RowEncoder::encode(const std::string& json, const RowFormat& format, RowDraft& draft) const {
    Json row = mappedRow(parseRow(json), format);
    noteTags(row, format.kind, draft.row);
    try {
        if (auto plain = plainTextOf(row, format)) {
            row = {}; // it may be 64 MiB
            encodePlain(std::move(*plain), m_tokenizer, m_options.trainOn, draft.row);
            if (format.kind == DataFormat::kText && !m_options.turnMarkers.begin.empty()) maskText(draft.row);
            return lookForTemplate(format.kind, draft.row);
        }
        draft.conversation = conversationOf(std::move(row), format);
        encodeChat(json, format, draft);
    } catch (const text::TemplateSpent& spent) {
        throw takesTooLong(spent);
    } catch (const text::TextTooLong&) {
        throw RowProblem(DropReason::kTooLong, Remark(RowRemark::kTextTooLong));
    }
}

void RowEncoder::encodeChat(const std::string& json, const RowFormat& format, RowDraft& draft) const {
    try {
        encodeReadings(json, format, draft, true);
    } catch (const RowProblem& problem) {
        // Some templates print a content beside calls behind an end of thoughts of their own (DeepSeek-V3.1): a thought
        // in it is none to them. It is left out then, which is said.
        if (problem.reason() != DropReason::kMask || !hasThoughtBesideCalls(*draft.conversation)) throw;
        draft.conversation = conversationOf(mappedRow(parseRow(json), format), format);
        try {
            encodeReadings(json, format, draft, false);
        } catch (const RowProblem&) {
            throw problem;
        }
    }
}

// A draft has its conversation in the first of kReadings.
void RowEncoder::encodeReadings(const std::string& json, const RowFormat& format, RowDraft& draft,
                                bool thinksBesideCalls) const {
    std::optional<RowProblem> refused;
    bool hasObjectArguments = false;
    for (const Reading& reading : kReadings) {
        if (reading.arguments == Arguments::kAsTexts && !hasObjectArguments) continue;
        if (refused) draft.conversation = conversationOf(mappedRow(parseRow(json), format), format, reading.arguments);
        hasObjectArguments = hasObjectArguments || draft.conversation->hasObjectArguments;
        Json& messages = draft.conversation->messages;
        placeThoughts(messages, draft.conversation->tools.is_null() ? m_thoughtPlace : m_thoughtPlaceWithTools,
                      thinksBesideCalls);
        if ((reading.givesIds && !giveIds(messages)) || (reading.completesCalls && !completeCalls(messages))) continue;
        try {
            return encodeConversation(*draft.conversation, draft.row);
        } catch (const RowProblem& problem) {
            if (problem.reason() != DropReason::kTemplate) throw;
            refused = problem;
        }
    }
    throw *refused;
}

// A text that holds a whole chat, as other tools write them.
void RowEncoder::maskText(EncodedRow& row) const {
    if (m_options.trainOn == TrainOn::kAll) return;
    row.turns = spansBetween(row.text, m_options.turnMarkers);
    // What stands between two begins is no answer alone.
    if (const std::size_t numBegins = timesIn(row.text, m_options.turnMarkers.begin); numBegins != row.turns.size())
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kOtherNumberOfMarkers, m_options.turnMarkers.begin,
                                                   numBegins, row.turns.size()));
    // The text's own EOS may end the last turn, as gpt-oss's does.
    if (!row.turns.empty() && row.turns.back().end == row.text.size() && !row.ids.empty() && endsTurn(row.ids.back()))
        row.turns.back().end = std::max<std::size_t>(row.turns.back().begin, row.offsets.back().begin);
    if (m_options.trainOn != TrainOn::kAssistant && row.turns.size() > 1)
        row.turns.erase(row.turns.begin(), row.turns.end() - 1);
    row.maskedBy = MaskSource::kTurnMarkers;
    row.numEmptyTurns = numWithoutWords(row);
    row.trained = trainedTokens(row.offsets, row.turns);
    row.numTurnsWithoutEnd = addEndsOfTurn(row.offsets, row.isSpecial, row.turns, row.trained);
}

// Segments say themselves what of them is whose; a prompt may have been rendered by whoever wrote the row.
void RowEncoder::lookForTemplate(DataFormat format, EncodedRow& row) const {
    const bool hasTemplate = !m_template.source(false).empty(), isText = format == DataFormat::kText;
    const bool isAsTold = isText && (m_options.trainOn == TrainOn::kAll || !m_options.turnMarkers.begin.empty());
    if (format == DataFormat::kSegments || isAsTold || (!hasTemplate && !isText)) return;
    const bool isModels = m_renderedChat.isIn(row.text);
    if (isModels && !isText) return;
    row.chatForm = isModels ? ChatForm::kModels : foreignFormIn(row.text);
    row.isPlainText = hasTemplate && isText && row.chatForm == ChatForm::kNone;
    row.isPlainPrompt = !isText;
}

text::Rendered RowEncoder::render(const Conversation& conversation) const {
    try {
        return RowRenderer(m_options, m_template, conversation.tools).render(conversation.messages);
    } catch (const text::TemplateSpent& spent) {
        throw takesTooLong(spent);
    }
}

void RowEncoder::encodeConversation(const Conversation& conversation, EncodedRow& row) const {
    RowRenderer renderer(m_options, m_template, conversation.tools);
    text::Rendered rendered = renderer.render(conversation.messages);
    row.text = std::move(rendered.text);
    text::Encoding encoding = m_tokenizer.encode(row.text, false); // the template has written its BOS itself
    row.ids = std::move(encoding.ids);
    row.offsets = std::move(encoding.offsets);
    row.isSpecial = std::move(encoding.isSpecial);
    row.trained.assign(row.ids.size(), m_options.trainOn == TrainOn::kAll ? 1 : 0);
    if (m_options.trainOn == TrainOn::kAll) {
        row.maskedBy = MaskSource::kEverything;
        requireCallsPrinted(conversation, row.text,
                            [&](const Json& messages) { return renderer.render(messages).text; });
    } else {
        maskConversation(conversation, rendered, renderer, row);
    }
    findUnprinted(conversation, row);
}

void RowEncoder::maskConversation(const Conversation& conversation, const text::Rendered& rendered,
                                  RowRenderer& renderer, EncodedRow& row) const {
    if (conversation.assistants.empty())
        throw RowProblem(DropReason::kNoAssistant, Remark(RowRemark::kNoAssistantTurn, rolesOf(conversation.messages)));
    row.turns = trainedTurns(conversation, rendered, renderer, row);
    row.numEmptyTurns = numEmptyTurns(conversation, m_options.trainOn, row);
    row.trained = trainedTokens(row.offsets, row.turns);
    // Generation tags decide about the end of the turn too; elsewhere the special token that follows is trained.
    row.numTurnsWithoutEnd = row.maskedBy == MaskSource::kGenerationTags
                                 ? numWithoutEnd(row.offsets, row.isSpecial, row.text, row.turns)
                                 : addEndsOfTurn(row.offsets, row.isSpecial, row.turns, row.trained);
}

// What the mask took is no part of what these renderings may take: a row that has its mask is not dropped for them.
void RowEncoder::findUnprinted(const Conversation& conversation, EncodedRow& row) const {
    const auto rendered = [&](const Json& messages, const Json& tools) {
        return RowRenderer(m_options, m_template, tools).render(messages).text;
    };
    try {
        Unprinted unprinted = unprintedOf(conversation, row.text,
                                          [&](const Json& messages) { return rendered(messages, conversation.tools); });
        row.unprintedThoughts = std::move(unprinted.thoughts);
        row.unprintedTexts = std::move(unprinted.texts);
        row.splitAnswers = std::move(unprinted.split);
        row.hasUnprintedTools = !conversation.tools.is_null() && !conversation.tools.empty() &&
                                rendered(conversation.messages, nullptr) == row.text;
    } catch (const RowProblem&) { // refused without its tools: they are read
    } catch (const text::TemplateSpent&) {
    }
    // A role that neither we nor the template know: what it says is what the answer was given to.
    for (const std::size_t index : row.unprintedTexts)
        if (const std::string role = conversation.messages[index]["role"]; !isKnownRole(role))
            throw RowProblem(DropReason::kBadRow,
                             Remark(RowRemark::kMessageRoleUnknown, index + 1, inPartOnOneLine(role)));
}

std::vector<Span> RowEncoder::trainedTurns(const Conversation& conversation, const text::Rendered& rendered,
                                           RowRenderer& renderer, EncodedRow& row) const {
    const RenderMessages render = [&](const Json& messages) { return renderer.render(messages).text; };
    RenderMessages renderTurns = render; // what holds the assistant's turns
    std::vector<Span> spans;
    if (!m_options.turnMarkers.begin.empty()) {
        row.maskedBy = MaskSource::kTurnMarkers;
        spans = turnsBetween(row.text, m_options.turnMarkers, conversation, render);
    } else if (rendered.hasGenerationTags) {
        row.maskedBy = MaskSource::kGenerationTags;
        spans = rendered.generationSpans;
        renderTurns = [&](const Json& messages) { return generatedText(renderer.render(messages)); };
    } else {
        row.maskedBy = MaskSource::kSentinels;
        spans = spansBySentinels(conversation, renderer, row);
    }
    requireCallsPrinted(conversation, row.text, renderTurns);
    spans = wantedOf(spans, conversation, m_options.trainOn);
    return beforeAnswers(std::move(spans), toolAnswers(conversation, row.text, render), endsOf(row),
                         row.maskedBy == MaskSource::kGenerationTags);
}

// Whole turns are replaced where the template allows it, else what stands in their calls.
std::vector<Span> RowEncoder::spansBySentinels(const Conversation& conversation, RowRenderer& renderer,
                                               const EncodedRow& row) const {
    const auto render = [&](const Json& messages, bool addGenerationPrompt) {
        return renderer.render(messages, addGenerationPrompt).text;
    };
    try {
        return assistantSpans(conversation, row.text, [&](const Json& messages) { return render(messages, false); });
    } catch (const RowProblem& problem) {
        if (!callsTools(conversation)) throw;
        const CallRenderer withCalls{render, [&](std::string_view text) { return endOfTurnIn(text); }};
        try {
            return assistantSpansWithCalls(conversation, row.text, withCalls);
        } catch (const RowProblem&) {
            throw problem;
        }
    }
}

bool RowEncoder::endsTurn(int32_t id) const {
    const auto& eos = m_tokenizer.special().eos;
    return eos && eos->id == id;
}

std::vector<Span> RowEncoder::endsOf(const EncodedRow& row) const {
    std::vector<Span> ends;
    for (std::size_t i = 0; i < row.ids.size(); ++i)
        if (endsTurn(row.ids[i])) ends.push_back(row.offsets[i]);
    return ends;
}

// EOS, or the first special token where the turn has another end.
std::optional<std::size_t> RowEncoder::endOfTurnIn(std::string_view text) const {
    const text::Encoding encoding = m_tokenizer.encode(text, false);
    std::optional<std::size_t> end;
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
        if (endsTurn(encoding.ids[i])) return encoding.offsets[i].begin;
        if (encoding.isSpecial[i] && !end) end = encoding.offsets[i].begin;
    }
    return end;
}

} // namespace roundpipe::data
