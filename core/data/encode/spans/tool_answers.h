// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of a rendered conversation are what tools answered: some templates print that within the assistant's
// turn, behind the call. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/encode/spans/marking.h"

namespace roundpipe::data {

// As far as the template prints them, ascending. Throws RowProblem (kMask) where it prints one in a place that cannot
// be told.
std::vector<Span> toolAnswers(const Conversation& conversation, const std::string& rendered,
                              const RenderMessages& render);

// Where the assistant's part of such a span ends: spans that reach into an answer are cut off there. `ends`: the tokens
// that end a turn, ascending. Throws RowProblem (kMask) where none stands before the answer.
std::vector<Span> beforeAnswers(std::vector<Span> spans, std::span<const Span> answers, std::span<const Span> ends,
                                bool keepsEnd);

} // namespace roundpipe::data
