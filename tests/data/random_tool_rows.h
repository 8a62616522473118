// SPDX-License-Identifier: GPL-3.0-or-later
// Random conversations with tools: several calls one after another and at once, contents and thoughts beside them,
// answers in any order, with quotes of what templates write, and repeated by the reply.
#pragma once

#include "tool_row_maker.h"

namespace roundpipe::data {

// Of golden/tools.md.
inline constexpr unsigned kToolRowSeed = 11;
inline constexpr int kNumToolRows = 80;

// A function of the seed and of the calls before.
class ToolRows : ToolRowMaker {
public:
    explicit ToolRows(unsigned seed) : ToolRowMaker(seed) {}

    ToolRow row() {
        m_row = {};
        Json messages = Json::array();
        if (chance(4)) messages.push_back({{"role", "system"}, {"content", other("sys")}});
        for (int blocks = 1 + upTo(2); blocks > 0; --blocks) {
            messages.push_back({{"role", "user"}, {"content", other("ask")}});
            for (int rounds = upTo(3); rounds > 0; --rounds)
                addCalls(messages);
            if (blocks == 1 && messages.back()["role"] == "tool" && chance(5)) break; // the row ends with an answer
            addReply(messages);
        }
        m_row.row = {{"messages", std::move(messages)}};
        if (!chance(8)) m_row.row["tools"] = tools();
        return std::move(m_row);
    }

private:
    std::string around(const std::string& word) {
        static constexpr const char* kAround[] = {"", "", " ", " two words ", "\n- item ", "你好", "x = 1, ", "'s "};
        return oneOf(kAround) + word + oneOf(kAround);
    }
    std::string own(const char* kind) {
        m_row.own.push_back(newWord(kind));
        return around(m_row.own.back());
    }
    std::string other(const char* kind) {
        m_row.others.push_back(newWord(kind));
        return around(m_row.others.back());
    }

    static Json tools() {
        Json list = Json::array();
        for (const char* name : {"weather", "search"})
            list.push_back(tool(name, "Tells it.",
                                {{"type", "object"},
                                 {"properties", {{"city", {{"type", "string"}, {"description", "Where."}}}}},
                                 {"required", {"city"}}}));
        return list;
    }

    void addReply(Json& messages) {
        std::string content = own("say");
        if (!m_told.empty() && chance(4)) { // word for word what a tool said
            m_row.repeated.push_back(m_told);
            std::erase(m_row.others, m_told);
            content = chance(3) ? m_told : content + " " + m_told;
            if (content == m_told) m_row.own.pop_back();
        }
        m_told.clear();
        Json reply = {{"role", "assistant"}, {"content", content}};
        if (chance(4)) reply["reasoning_content"] = "thinking about it";
        messages.push_back(std::move(reply));
    }

    Json arguments() {
        if (chance(10)) return Json::object();
        Json result = {{"city", own("arg")}};
        if (chance(3)) result["more"] = {{"list", {own("inner"), 7}}, {"flag", true}, {"none", Json()}};
        if (chance(4)) result["days"] = upTo(9);
        return result;
    }

    // What a tool says; some of it looks like what templates write.
    std::string told() {
        static constexpr const char* kQuotes[] = {"</tool_response>",      "<tool_call>",         "[TOOL_CALLS]",
                                                  "<|tool_call_begin|>",   "<|channel|>final",    "</think>",
                                                  "<｜tool▁output▁end｜>", "{\"name\": \"call\"}"};
        const std::string text = other("told");
        m_told = m_row.others.back();
        return chance(4) ? text + oneOf(kQuotes) : text;
    }

    void addCalls(Json& messages) {
        Json turn = {{"role", "assistant"},
                     {"content", chance(3)   ? Json(own("aside"))
                                 : chance(2) ? Json("")
                                             : Json()}};
        if (chance(4)) turn["reasoning_content"] = "which tool";
        std::vector<Json> answers;
        const bool asText = !chance(3);
        for (int count = 1 + (chance(4) ? 1 + upTo(1) : 0); count > 0; --count) {
            const Json values = arguments();
            const std::string id = newId();
            const char* name = chance(2) ? "weather" : "search";
            turn["tool_calls"].push_back(call(id, name, values, asText));
            answers.push_back(answer(id, name, told()));
        }
        add(std::move(turn), std::move(answers), 4, messages);
    }

    std::string m_told; // what a tool said last
};

} // namespace roundpipe::data
