// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt that is written out with columns of a row: "{question}\n{schema}".
#pragma once

#include <string>
#include <vector>

namespace roundpipe::session {

struct PromptPiece {
    std::string text; // as it stands, or the column's name
    bool isColumn = false;
};

// The pieces one after another; "{{" and "}}" are braces. Throws kInvalidInput for a brace that stands alone and for a
// text without a column, which would be the same for every row.
std::vector<PromptPiece> parsePromptTemplate(const std::string& source);

} // namespace roundpipe::session
