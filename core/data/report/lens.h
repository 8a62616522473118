// One row token by token, for people to look at.
#pragma once

#include "data/encode/row_encoder.h"
#include "data/encode/special_tokens.h"
#include "data/files/row_source.h"
#include "data/options.h"
#include "session/workbench.h"

#include <functional>
#include <string>

namespace roundpipe::data {

struct RowTrace;

// Immutable: any number of threads may look at once. Holds references to all but `finder`.
class LensMaker {
public:
    LensMaker(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    // Also of a row that is dropped: as far as it came, with the reason. `name`: "'rows.jsonl', line 7".
    session::TokenLens lensOf(const RawRow& raw, const RowFormat& format, session::RowPlace place,
                              const std::string& name) const;

private:
    void fill(const RowTrace& trace, session::TokenLens& lens) const;
    void fillMessages(const RowTrace& trace, session::TokenLens& lens) const;
    void fillNotes(const RowTrace& trace, session::TokenLens& lens) const;

    const DataOptions& m_options;
    const text::Tokenizer& m_tokenizer;
    RowEncoder m_encoder;
    SpecialTokenFinder m_finder;
};

// The lenses of the rows whose numbers lie in [first, last], as they are read; `take` returns false to stop. Throws
// kInvalidInput where the file has no row of that number, and what openRows() throws.
void readLenses(const LensMaker& maker, const DataOptions& options, session::RowPlace first, int64_t last,
                const std::function<bool(session::TokenLens)>& take);
// The lens of the row with that number; reads the file up to it. Throws kInvalidInput where there is no such row, and
// what openRows() throws.
session::TokenLens readLens(const LensMaker& maker, const DataOptions& options, session::RowPlace place);

} // namespace roundpipe::data
