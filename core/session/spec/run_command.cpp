#include "session/spec/run_command.h"

#include "session/spec/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace roundpipe::session {
namespace {

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ",") + text;
    return all;
}

// What follows "roundpipe train" for one field: an option, with '=' so that no value is taken for an option, or an
// option and the paths behind it.
std::vector<std::string> optionOf(const Field& field, const FieldValue& value) {
    const std::string name = field.option + "=";
    if (const auto* on = std::get_if<bool>(&value)) return {*on ? field.option : "--no-" + field.option.substr(2)};
    if (const auto* whole = std::get_if<int64_t>(&value)) return {name + std::to_string(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return {name + nlohmann::json(*real).dump()};
    if (const auto* text = std::get_if<std::string>(&value)) return {name + *text};
    if (const auto* numbers = std::get_if<std::vector<int64_t>>(&value)) {
        std::vector<std::string> texts;
        for (const int64_t number : *numbers)
            texts.push_back(std::to_string(number));
        return {name + joined(texts)};
    }
    const auto& texts = std::get<std::vector<std::string>>(value);
    if (!field.isPath) return {name + joined(texts)};
    std::vector<std::string> words{field.option};
    words.insert(words.end(), texts.begin(), texts.end());
    return words;
}

std::string quoted(const std::string& word) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string_view("_-./=,:@%+").find(static_cast<char>(c)) != std::string::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

} // namespace

std::vector<std::string> trainArguments(const RunSpec& spec, const std::vector<std::string>& prompts) {
    std::vector<std::string> words{"train"};
    for (const Field* field : differingFields(spec, {}))
        for (std::string& word : optionOf(*field, field->get(spec)))
            words.push_back(std::move(word));
    for (const std::string& prompt : prompts)
        words.push_back("--sample=" + prompt);
    return words;
}

std::string trainCommand(const RunSpec& spec, const std::vector<std::string>& prompts) {
    std::string line = "roundpipe";
    for (const std::string& word : trainArguments(spec, prompts))
        line += (word.starts_with("--") ? " \\\n    " : " ") + quoted(word);
    return line;
}

} // namespace roundpipe::session
