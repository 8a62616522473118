// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/answer_tags.h"

#include "data/in_part.h"
#include "data/rows/json/json_text.h"
#include "data/rows/row_fields.h"

#include <algorithm>
#include <string_view>

namespace roundpipe::data {
namespace {

bool looksLikeNumber(std::string_view word) {
    return word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
}

// As tables and scripts write it, too. `mayBeClass`: a number may be that of a class.
AnswerTag tagOf(const Json& tag, bool mayBeClass) {
    if (tag.is_boolean()) return tag.get<bool>() ? AnswerTag::kGood : AnswerTag::kBad;
    if (tag.is_number()) {
        if (mayBeClass) return AnswerTag::kUnclear;
        if (tag == 1) return AnswerTag::kGood;
        return tag == 0 || tag == -1 ? AnswerTag::kBad : AnswerTag::kUnclear;
    }
    if (!tag.is_string()) return AnswerTag::kUnclear;
    constexpr std::string_view kNo[] = {"false", "0",   "0.0", "-1",       "-1.0",
                                        "no",    "off", "bad", "rejected", "undesirable"};
    constexpr std::string_view kYes[] = {"true", "1", "1.0", "yes", "on", "good", "chosen", "desirable"};
    const std::string word = lowered(withoutBlanksAround(tag.get<std::string>())); // tables have blanks beside it
    if (word.empty()) return AnswerTag::kNone;                                     // a table's way to leave it out
    if (mayBeClass && looksLikeNumber(word)) return AnswerTag::kUnclear;
    if (std::ranges::find(kNo, word) != std::end(kNo)) return AnswerTag::kBad;
    return std::ranges::find(kYes, word) == std::end(kYes) ? AnswerTag::kUnclear : AnswerTag::kGood;
}

[[noreturn]] void refuse(const std::string& name, const Json& value) {
    throw RowProblem(DropReason::kRejected,
                     Remark(RowRemark::kAnswerRejected, inPartOnOneLine(name), inPartOnOneLine(jsonText(value))));
}

} // namespace

AnswerTag answerTagIn(const Json& row, const char* column, DataFormat format) {
    const Json* tag = field(row, column);
    // Beside a text alone stands the number of a class, as a rule.
    return tag == nullptr ? AnswerTag::kNone : tagOf(*tag, format == DataFormat::kText);
}

AnswerTag switchIn(const std::string& name, const Json& value) {
    if (value.is_null() || !session::isTrainingSwitch(name)) return AnswerTag::kNone;
    return tagOf(value, false);
}

AnswerTag messageSwitchIn(const std::string& name, const Json& value) {
    const bool isLabel = !value.is_null() && lowered(name) == kAnswerTags[0];
    return isLabel ? tagOf(value, false) : switchIn(name, value);
}

bool isWanted(const Json& message, std::size_t number) {
    std::string unclear;
    for (const auto& [name, value] : message.items()) {
        const AnswerTag tag = messageSwitchIn(name, value);
        if (tag == AnswerTag::kBad) return false;
        // Axolotl's, OpenAI's and LLaMA-Factory's own; of what others write by such a name it may be another thing.
        constexpr std::string_view kStrict[] = {"train", "weight", "loss_weight"};
        if (tag == AnswerTag::kUnclear && std::ranges::find(kStrict, lowered(name)) != std::end(kStrict))
            unclear = name;
    }
    if (unclear.empty()) return true;
    if (lowered(unclear) == "train") throw badRow(RowRemark::kMessageTrain, number);
    throw badRow(RowRemark::kMessageWeight, number, unclear);
}

void refuseUnwanted(const Json& row, DataFormat format) {
    for (const char* column : kAnswerTags)
        if (answerTagIn(row, column, format) == AnswerTag::kBad) refuse(column, row[column]);
    for (const auto& [name, value] : row.items())
        if (switchIn(name, value) == AnswerTag::kBad) refuse(name, value);
}

} // namespace roundpipe::data
