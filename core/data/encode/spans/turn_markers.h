// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the assistant's turns by the texts that the user says stand around them (data.turn_begin and data.turn_end):
// for templates that do not tell.
#pragma once

#include "data/encode/spans/token_mask.h"
#include "data/options.h"

#include <span>
#include <string_view>
#include <vector>

namespace roundpipe::data {

// From behind each `begin` up to the next `end`, or the end of the text; neither marker is part of a turn. One that
// stands in an `ignored` span, or reaches into it, marks nothing.
std::vector<Span> spansBetween(std::string_view text, const TurnMarkers& markers, std::span<const Span> ignored = {});
std::size_t timesIn(std::string_view text, std::string_view marker); // not empty

} // namespace roundpipe::data
