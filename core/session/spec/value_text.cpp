// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/value_text.h"

#include <nlohmann/json.hpp>

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

} // namespace

std::string textOf(const FieldValue& value) {
    return std::visit(TextMaker{}, value);
}

} // namespace roundpipe::session
