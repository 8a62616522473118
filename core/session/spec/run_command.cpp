// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/run_command.h"

#include "base/plain_words.h"
#include "session/spec/dataset_words.h"
#include "session/spec/run_spec_fields.h"
#include "session/spec/value_text.h"

#include <algorithm>
#include <iterator>

namespace roundpipe::session {
namespace {

// What follows "roundpipe train" for one field: an option, with '=' so that no value is taken for an option, or an
// option and the paths behind it.
std::vector<std::string> optionOf(const Field& field, const FieldValue& value) {
    if (const auto* on = std::get_if<bool>(&value)) return {*on ? field.option : "--no-" + field.option.substr(2)};
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr || !field.isPath) return {field.option + "=" + textOf(value)};
    std::vector<std::string> words{field.option};
    for (const std::string& path : *texts)
        words.push_back(field.key == "data.files" ? datasetWordOf(path) : path);
    return words;
}

void append(std::vector<std::string>& words, std::vector<std::string> more) {
    std::ranges::move(more, std::back_inserter(words));
}

} // namespace

std::vector<std::string> trainArguments(const RunSpec& spec, const std::vector<std::string>& prompts) {
    std::vector<std::string> words{"train"};
    const bool isMixture = spec.data.datasets.size() > 1; // each of which has its settings behind its files
    for (std::size_t i = 0; isMixture && i < spec.data.datasets.size(); ++i) {
        words.emplace_back("--data");
        append(words, datasetWords(spec, i));
    }
    for (const Field* field : differingFields(spec, {}))
        if (!isMixture || !field->isOfDataset) append(words, optionOf(*field, field->get(spec)));
    for (const std::string& prompt : prompts)
        words.push_back("--sample=" + prompt);
    return words;
}

std::string trainCommand(const RunSpec& spec, const std::vector<std::string>& prompts) {
    std::string line = "roundpipe";
    for (const std::string& word : trainArguments(spec, prompts))
        line += (word.starts_with("--") ? " \\\n    " : " ") + shellWord(word);
    return line;
}

} // namespace roundpipe::session
