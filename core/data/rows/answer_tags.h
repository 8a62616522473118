// SPDX-License-Identifier: GPL-3.0-or-later
// What a row, or a message of it, says of whether its answer is one to learn. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/rows/json/row_json.h"

#include <cstddef>
#include <string>

namespace roundpipe::data {

enum class AnswerTag { kNone, kGood, kBad, kUnclear };

// Columns of sets of good and bad answers (KTO): TRL's and LLaMA-Factory's. A row whose answer is a bad one is dropped.
inline constexpr const char* kAnswerTags[] = {"label", "kto_tag"};
// What such a column says of the row: other sets have numbers and names of classes there, which are unclear.
AnswerTag answerTagIn(const Json& row, const char* column, DataFormat format);

// What a field says that switches training on and off by its name ("train", "weight", …; session::isTrainingSwitch) and
// its value, as tables and scripts write it, too. kNone: it is no switch, or says nothing; kUnclear: another thing has
// that name, or a share of one.
AnswerTag switchIn(const std::string& name, const Json& value);

// The same of a message's field, where "label" is one, too.
AnswerTag messageSwitchIn(const std::string& name, const Json& value);

// Of a message of the assistant; `number` is its own. Throws RowProblem where "train" or a weight is unclear.
bool isWanted(const Json& message, std::size_t number);

// Throws RowProblem of a row that says that its answer is not to be learnt.
void refuseUnwanted(const Json& row, DataFormat format);

} // namespace roundpipe::data
