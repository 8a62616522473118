// SPDX-License-Identifier: GPL-3.0-or-later
// The assistant's turns with markers in the place of what it wrote. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/encode/spans/marking.h"
#include "data/row_problem.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roundpipe::data {

// One turn: `answer`, and `thought` where it reasons, are what stands in their place.
struct MarkedTurn {
    std::size_t message;
    std::string answer, thought, lead; // what is said before a thought
    bool isPlain = true;               // a text alone, which must come back as it is
};

MarkedTurn markedTurn(std::size_t message, const std::string& prefix);

// The message with the turn's markers, and without its calls: they are part of the turn that the answer's marker stands
// for.
Json marked(const Json& message, MarkedTurn& turn);

// Where the markers of turns stand in what a template made of them, found in one reading of it. Holds a view of it.
class MarkerPlaces {
public:
    MarkerPlaces(std::string_view text, const std::string& prefix); // of markedTurn()
    // Where the marker begins, from there on; ascending.
    std::span<const std::size_t> of(const std::string& marker, std::size_t from) const;
    std::string_view text() const { return m_text; }

private:
    std::string_view m_text;
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_places;
};

// Where the turn's markers stand, thought first. Throws RowProblem (kMask).
Span turnIn(const MarkerPlaces& places, const MarkedTurn& turn, std::size_t from);

// A text alone must come back as it is. Throws RowProblem (kMask).
void requireUnchanged(const Json& message, const MarkedTurn& turn, std::string_view written);

RowProblem unclearTurn(std::size_t message, RowRemark why);

} // namespace roundpipe::data
