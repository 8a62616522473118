// SPDX-License-Identifier: GPL-3.0-or-later
// What random conversations with tools are made with: chances, words that stand nowhere else, tools, calls and their
// answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::data {

using Json = nlohmann::ordered_json;

// A row, and a word of its own for each thing that somebody says in it.
struct ToolRow {
    Json row;
    std::vector<std::string> own;    // the assistant's: must be trained wherever they stand
    std::vector<std::string> others; // users', tools': must not
    std::vector<std::string>
        repeated; // a tool's, which the assistant repeats: trained in the last place, not in others
};

class ToolRowMaker {
protected:
    explicit ToolRowMaker(unsigned seed) : m_random(seed) {}

    int upTo(int most) { return std::uniform_int_distribution(0, most)(m_random); }
    bool chance(int oneIn) { return upTo(oneIn - 1) == 0; }
    template <std::size_t size>
    std::string oneOf(const char* const (&texts)[size]) {
        return texts[upTo(static_cast<int>(size) - 1)];
    }
    std::string newWord(const char* kind) { return kind + std::string("No") + std::to_string(++m_number) + "x"; }
    std::string newId() { return "call" + std::to_string(10000 + ++m_number); }

    static Json tool(const char* name, const char* description, Json parameters) {
        return {{"type", "function"},
                {"function", {{"name", name}, {"description", description}, {"parameters", std::move(parameters)}}}};
    }
    static Json call(const std::string& id, const std::string& name, const Json& values, bool asText) {
        return {{"id", id},
                {"type", "function"},
                {"function", {{"name", name}, {"arguments", asText ? Json(values.dump()) : values}}}};
    }
    static Json answer(const std::string& id, const std::string& name, const std::string& told) {
        return {{"role", "tool"}, {"tool_call_id", id}, {"name", name}, {"content", told}};
    }
    // Calls and what came of them, now and then in another order.
    void add(Json turn, std::vector<Json> answers, int reversesOneIn, Json& messages) {
        messages.push_back(std::move(turn));
        if (chance(reversesOneIn)) std::ranges::reverse(answers);
        for (Json& answer : answers)
            messages.push_back(std::move(answer));
    }

    ToolRow m_row;

private:
    std::mt19937 m_random;
    int m_number = 0;
};

} // namespace roundpipe::data
