// The assistant's turns with markers in the place of what it wrote. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/encode/marking.h"
#include "data/rows/row_problem.h"

#include <string>

namespace roundpipe::data {

// One turn: `answer`, and `thought` where it reasons, are what stands in their place.
struct MarkedTurn {
    std::size_t message;
    std::string answer, thought;
    bool isPlain = true; // a text alone, which must come back as it is
};

MarkedTurn markedTurn(std::size_t message, const std::string& prefix);

// The message with the turn's markers, and without its calls: they are part of the turn that the answer's marker stands
// for.
Json marked(const Json& message, MarkedTurn& turn);

// Where the markers stand in what a template made of them, thought first. Throws RowProblem (kMask).
Span turnIn(const std::string& text, const MarkedTurn& turn, std::size_t from);

// A text alone must come back as it is. Throws RowProblem (kMask).
void requireUnchanged(const Json& message, const MarkedTurn& turn, std::string_view written);

RowProblem unclearTurn(std::size_t message, RowRemark why);

} // namespace roundpipe::data
