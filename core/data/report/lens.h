// SPDX-License-Identifier: GPL-3.0-or-later
// The token lens: one row token by token, for people to look at.
#pragma once

#include "data/encode/checks/special_tokens.h"
#include "data/encode/row_encoder.h"
#include "data/files/row_source.h"
#include "data/options.h"
#include "session/workbench.h"

#include <optional>
#include <string>

namespace roundpipe::data {

struct RowDraft;

// Immutable: any number of threads may look at once. Holds references to what it is made from.
class LensMaker {
public:
    LensMaker(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    // Also of a row that is dropped: as far as it came, with the reason. `name`: "'rows.jsonl', line 7".
    session::TokenLens lensOf(const RawRow& raw, const RowFormat& format, session::RowPlace place,
                              const std::string& name) const;

    session::RowVerdict verdictOf(const RawRow& raw, const RowFormat& format, session::RowPlace place) const;

private:
    // Whatever there is of the row goes to the draft; why training does not take it, if so, is the result.
    std::optional<RowProblem> encode(const RawRow& raw, const RowFormat& format, RowDraft& draft) const;
    void fill(RowDraft& draft, session::TokenLens& lens) const;
    void fillTokens(const EncodedRow& row, session::TokenLens& lens) const;
    void fillMessages(const RowDraft& draft, session::TokenLens& lens) const;
    void fillNotes(const RowDraft& draft, session::TokenLens& lens) const;
    session::Remark noteOnTemplate(const EncodedRow& row) const;

    const DataOptions& m_options;
    const text::Tokenizer& m_tokenizer;
    const text::ChatTemplate& m_template;
    RowEncoder m_encoder;
    SpecialTokenFinder m_finder;
    RenderedChat m_renderedChat;
};

} // namespace roundpipe::data
