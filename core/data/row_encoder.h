// One row → rendered text, token ids and which of them are trained.
#pragma once

#include "data/options.h"
#include "data/row_problem.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::data {

struct Conversation;

// Everything about a row: what training takes of it, and what a person looks at.
struct EncodedRow {
    std::string text; // as the template rendered it
    std::vector<int32_t> ids;
    std::vector<text::Span> offsets; // per token, bytes of `text`
    std::vector<uint8_t> trained;    // per token
    int64_t numKept = 0;             // tokens within the length limit: what training sees
    int64_t numTurnsWithoutEnd = 0;  // assistant's turns that no special token ends
};

// Holds references to the tokenizer and the template, which must outlive it. Any number of threads may encode at once.
class RowEncoder {
public:
    RowEncoder(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    // `format`: kMessages or kAlpaca. Throws RowProblem where the row must be dropped, Error (kUnsupported) where the
    // template cannot be rendered at all.
    EncodedRow encode(const std::string& json, Format format) const;

private:
    EncodedRow encodeConversation(const Conversation& conversation) const;

    const DataOptions& m_options;
    const text::Tokenizer& m_tokenizer;
    const text::ChatTemplate& m_template;
};

} // namespace roundpipe::data
