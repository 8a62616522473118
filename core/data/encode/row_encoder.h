// One row → rendered text, token ids and which of them are trained.
#pragma once

#include "data/options.h"
#include "data/rows/row_problem.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::data {

enum class ThoughtPlace;
struct Conversation;
struct RowTrace;

// What told the assistant's turns from the rest.
enum class MaskSource { kNone, kGenerationTags, kSentinels, kTurnMarkers, kRow, kEverything };
const char* toString(MaskSource source); // "generation tags", …; empty for kNone

// Everything about a row: what training takes of it, and what a person looks at.
struct EncodedRow {
    std::string text; // as the template rendered it
    std::vector<int32_t> ids;
    std::vector<text::Span> offsets; // per token, bytes of `text`
    std::vector<bool> isSpecial;     // per token
    std::vector<uint8_t> trained;    // per token
    int64_t numKept = 0;             // tokens within the length limit: what training sees
    int64_t numTurnsWithoutEnd = 0;  // trained turns that no special token ends
    MaskSource maskedBy = MaskSource::kNone;
};

// Holds references to the options, the tokenizer and the template, which must outlive it. Any number of threads may
// encode at once.
class RowEncoder {
public:
    RowEncoder(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    // `format`: any but kAuto. Throws RowProblem where the row must be dropped, Error (kUnsupported) where the template
    // cannot be rendered at all.
    EncodedRow encode(const std::string& json, const RowFormat& format) const;
    // The same, leaving in `trace` what there was of the row when it threw.
    void encode(const std::string& json, const RowFormat& format, RowTrace& trace) const;

    // The messages as the template prints them with the row's tools. Throws as encode() does.
    text::Rendered render(const Conversation& conversation) const;

private:
    void maskText(EncodedRow& row) const;
    void encodeConversation(const Conversation& conversation, EncodedRow& row) const;
    std::vector<text::Span> maskConversation(const Conversation& conversation, const text::Rendered& rendered,
                                             EncodedRow& row) const;

    const DataOptions& m_options;
    const text::Tokenizer& m_tokenizer;
    const text::ChatTemplate& m_template;
    ThoughtPlace m_thoughtPlace;
    ThoughtPlace m_thoughtPlaceWithTools; // a model may have a template for each
};

// Throws RowProblem where a row that could be encoded is too long, or has no trained token within its length.
void checkLength(const EncodedRow& row, const DataOptions& options);

} // namespace roundpipe::data
