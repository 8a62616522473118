// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/row_coder.h"

#include "data/encode/row_draft.h"

namespace roundpipe::data {

// Leaves what is only for people to look at behind: a chunk's texts would be its largest part.
CodedRow RowCoder::code(const RawRow& raw, const RowFormat& format, int32_t file) const {
    CodedRow coded;
    Example& example = coded.row.example;
    coded.textHash = session::RowKey::of(raw.number, raw.json).textHash;
    example.place = {file, raw.number};
    try {
        if (!raw.problem.empty()) throw RowProblem(DropReason::kBadRow, raw.problem);
        RowDraft draft;
        m_encoder.encode(raw.json, format, draft);
        draft.row.offsets = {}; // the mask is made
        coded.row.facts = m_examiner.factsOf(draft);
        coded.row.facts.textHash = coded.textHash;
        example.ids = std::move(draft.row.ids);
        example.trained = std::move(draft.row.trained);
    } catch (const RowProblem& problem) {
        coded.problem = problem;
    }
    return coded;
}

} // namespace roundpipe::data
