// SPDX-License-Identifier: GPL-3.0-or-later
// A row as it was read → what is kept of it: tokens, mask and facts, or why it has none. Internal to this folder.
#pragma once

#include "data/encode/row_encoder.h"
#include "data/rows/columns/row_stream.h"
#include "data/store/facts/row_facts.h"
#include "data/store/tokens/token_store.h"

#include <cstdint>
#include <optional>

namespace roundpipe::data {

struct CodedRow {
    StoredRow row;                     // its example's place and, unless there is a problem, all the rest but the id
    std::optional<RowProblem> problem; // why the row is none
    uint64_t textHash = 0;             // of either
};

// Holds references to what it is given. Any number of threads may use one at once.
class RowCoder {
public:
    RowCoder(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate)
        : m_encoder(options, tokenizer, chatTemplate), m_examiner(tokenizer) {}

    // `file`: of the options'.
    CodedRow code(const RawRow& raw, const RowFormat& format, int32_t file) const;

private:
    RowEncoder m_encoder;
    RowExaminer m_examiner;
};

} // namespace roundpipe::data
