// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/value_text.h"

#include "base/error.h"
#include "session/spec/hub_prefix.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>

namespace roundpipe::session {
namespace {

struct TextMaker {
    std::string operator()(bool on) const { return on ? "on" : "off"; }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return nlohmann::json(number).dump(); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& texts) const {
        std::string all;
        for (const std::string& text : texts)
            all += (all.empty() ? "" : ",") + text;
        return all;
    }
    std::string operator()(const std::vector<int64_t>& numbers) const {
        std::string all;
        for (const int64_t number : numbers)
            all += (all.empty() ? "" : ",") + std::to_string(number);
        return all;
    }
};

template <class Number>
Number numberFrom(const Field& field, const std::string& word, const char* expected) {
    Number number{};
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isFinite = std::isfinite(static_cast<double>(number)); // "nan" and "inf" are read, too
    if (failed != std::errc() || end != word.data() + word.size() || !isFinite)
        throw invalidInput(field.option + " is '" + word + "', but should be " + expected + ".");
    return number;
}

bool isOn(const Field& field, const std::string& word) {
    if (word == "on" || word == "off") return word == "on";
    throw invalidInput(field.option + " is '" + word + "', but should be on or off.");
}

std::string absolute(const Field& field, const std::string& path) {
    return field.isPath && !path.empty() && !isHubName(path)
               ? std::filesystem::absolute(path).lexically_normal().string()
               : path;
}

} // namespace

std::string textOf(const FieldValue& value) {
    return std::visit(TextMaker{}, value);
}

bool isList(const FieldValue& value) {
    return std::holds_alternative<std::vector<std::string>>(value) ||
           std::holds_alternative<std::vector<int64_t>>(value);
}

FieldValue valueFrom(const Field& field, const std::vector<std::string>& words) {
    const FieldValue example = field.get(RunSpec{});
    if (std::holds_alternative<bool>(example)) return isOn(field, words.at(0));
    if (std::holds_alternative<int64_t>(example)) return numberFrom<int64_t>(field, words.at(0), "a whole number");
    if (std::holds_alternative<double>(example)) return numberFrom<double>(field, words.at(0), "a number");
    if (std::holds_alternative<std::string>(example)) return absolute(field, words.at(0));
    if (std::holds_alternative<std::vector<int64_t>>(example)) {
        std::vector<int64_t> numbers;
        for (const std::string& word : words)
            numbers.push_back(numberFrom<int64_t>(field, word, "whole numbers, 2,3,3"));
        return numbers;
    }
    std::vector<std::string> paths;
    for (const std::string& word : words)
        paths.push_back(absolute(field, word));
    return paths;
}

} // namespace roundpipe::session
