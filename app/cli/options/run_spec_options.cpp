#include "options/run_spec_options.h"

#include "base/error.h"
#include "session/spec/hub_prefix.h"

#include <charconv>
#include <filesystem>
#include <ranges>

namespace roundpipe::cli {
namespace {

using session::Field;
using session::FieldValue;

template <class Number>
Number numberFrom(const Field& field, const std::string& text, const char* expected) {
    Number number{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size())
        throw invalidInput(field.option + " is '" + text + "', but should be " + expected + ".");
    return number;
}

std::string defaultText(const FieldValue& value) {
    struct Visitor {
        std::string operator()(bool flag) const { return flag ? "on" : "off"; }
        std::string operator()(int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const {
            char text[32];
            std::snprintf(text, sizeof text, "%g", number);
            return text;
        }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const std::vector<std::string>& texts) const {
            return texts.empty() ? "" : texts.front();
        }
        std::string operator()(const std::vector<int64_t>&) const { return ""; }
    };
    return std::visit(Visitor{}, value);
}

std::string helpOf(const Field& field) {
    std::string help = field.help;
    if (!field.choices.empty()) {
        help += " [";
        for (const std::string& choice : field.choices)
            help += (help.back() == '[' ? "" : "|") + choice;
        help += ']';
    }
    const std::string usual = defaultText(field.get(session::RunSpec{}));
    return usual.empty() ? help : help + " (" + usual + ")";
}

std::string absolute(const Field& field, const std::string& path) {
    return field.isPath && !path.empty() && !session::isHubName(path)
               ? std::filesystem::absolute(path).lexically_normal().string()
               : path;
}

FieldValue valueFrom(const Field& field, const std::vector<std::string>& texts) {
    const FieldValue example = field.get(session::RunSpec{});
    if (std::holds_alternative<int64_t>(example)) return numberFrom<int64_t>(field, texts.at(0), "a whole number");
    if (std::holds_alternative<double>(example)) return numberFrom<double>(field, texts.at(0), "a number");
    if (std::holds_alternative<std::string>(example)) return absolute(field, texts.at(0));
    if (std::holds_alternative<std::vector<int64_t>>(example)) {
        std::vector<int64_t> numbers;
        for (const std::string& text : texts)
            numbers.push_back(numberFrom<int64_t>(field, text, "whole numbers, 2,3,3"));
        return numbers;
    }
    std::vector<std::string> paths;
    for (const std::string& text : texts)
        paths.push_back(absolute(field, text));
    return paths;
}

} // namespace

void RunSpecOptions::addTo(CLI::App& app, const std::vector<std::string>& prefixes, const std::string& without) {
    for (const Field& field : session::runSpecFields()) {
        const auto begins = [&](const std::string& prefix) { return field.key.starts_with(prefix); };
        if (field.key == "version" || field.key == without ||
            (!prefixes.empty() && !std::ranges::any_of(prefixes, begins)))
            continue;
        Given& given = m_given[field.key];
        given.field = &field;
        const FieldValue example = field.get(session::RunSpec{});
        if (std::holds_alternative<bool>(example)) {
            const std::string name = field.option.substr(2);
            given.option = app.add_flag("--" + name + ",!--no-" + name, given.flag, helpOf(field));
        } else {
            given.option = app.add_option(field.option, given.texts, helpOf(field));
            const bool isList = std::holds_alternative<std::vector<std::string>>(example) ||
                                std::holds_alternative<std::vector<int64_t>>(example);
            if (isList && field.isPath)
                given.option->expected(1, 1 << 20);
            else if (isList)
                given.option->delimiter(',')->expected(1, 1 << 20);
            else
                given.option->expected(1)->allow_extra_args(false)->take_last(); // what follows is no part of it
        }
        given.option->group(field.key.find('.') == std::string::npos ? "run"
                                                                     : field.key.substr(0, field.key.find('.')));
    }
}

void RunSpecOptions::apply(session::RunSpec& spec) const {
    for (const auto& given : m_given | std::views::values) {
        if (given.option->count() == 0) continue;
        const bool isFlag = std::holds_alternative<bool>(given.field->get(spec));
        given.field->set(spec, isFlag ? FieldValue(given.flag) : valueFrom(*given.field, given.texts));
    }
}

} // namespace roundpipe::cli
