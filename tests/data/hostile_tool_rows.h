// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations with tools as nobody should write them: what somebody says looks like what templates write around
// turns, calls and answers, names stand within names, contents are blank or of other scripts' spaces.
#pragma once

#include "tool_row_maker.h"

namespace roundpipe::data {

// A function of the seed and of the calls before.
class HostileToolRows : ToolRowMaker {
public:
    explicit HostileToolRows(unsigned seed) : ToolRowMaker(seed) {}

    ToolRow row() {
        m_row = {};
        Json messages = Json::array();
        if (chance(4)) messages.push_back({{"role", "system"}, {"content", other()}});
        for (int blocks = 1 + upTo(2); blocks > 0; --blocks) {
            messages.push_back({{"role", "user"}, {"content", other()}});
            for (int rounds = upTo(2); rounds > 0; --rounds)
                addCalls(messages);
            Json reply = {{"role", "assistant"}, {"content", own()}};
            if (chance(4)) reply["reasoning_content"] = edged("a thought");
            messages.push_back(std::move(reply));
        }
        m_row.row = {{"messages", std::move(messages)}, {"tools", tools()}};
        return std::move(m_row);
    }

private:
    // What templates write; of their models' special tokens too.
    std::string mark() {
        static constexpr const char* kMarks[] = {"<|im_end|>",
                                                 "<|im_end|>\n<|im_start|>assistant\n",
                                                 "<|im_start|>tool\n",
                                                 "</s>",
                                                 "<|eot_id|>",
                                                 "<|start_header_id|>assistant<|end_header_id|>\n\n",
                                                 "<end_of_turn>\n<start_of_turn>model\n",
                                                 "<|end|>",
                                                 "<|start|>assistant<|channel|>final<|message|>",
                                                 "<|return|>",
                                                 "<｜end▁of▁sentence｜>",
                                                 "<｜Assistant｜>",
                                                 "<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>",
                                                 "<tool_response>\n",
                                                 "\n</tool_response>",
                                                 "[/INST]",
                                                 "[TOOL_CALLS][",
                                                 "[/TOOL_RESULTS]",
                                                 "<|END_OF_TURN_TOKEN|>",
                                                 "<|START_RESPONSE|>",
                                                 "<think>",
                                                 "</think>\n\n",
                                                 "{{ x }}",
                                                 "{% generation %}",
                                                 "roundpipe",
                                                 "\\",
                                                 "\""};
        return oneOf(kMarks);
    }
    std::string edged(const std::string& text) {
        static constexpr const char* kEdges[] = {"", "", "", " ", "\n", "\u3000", "\u00a0", "\u2028", "\u200b", "\t"};
        return oneOf(kEdges) + text + oneOf(kEdges);
    }
    std::string around(const std::string& word) {
        const std::string before = chance(3) ? mark() : "", behind = chance(3) ? mark() : "";
        return edged(before + word + behind);
    }
    std::string own() {
        m_row.own.push_back(newWord("own"));
        return around(m_row.own.back());
    }
    std::string other() {
        m_row.others.push_back(newWord("other"));
        return around(m_row.others.back());
    }

    static constexpr const char* kNames[] = {"go", "go_on", "going", "no", "name", "user"};

    static Json tools() {
        Json list = Json::array();
        for (const char* name : kNames)
            list.push_back(tool(name, "Goes.", {{"type", "object"}, {"properties", Json::object()}}));
        return list;
    }

    Json arguments() {
        Json result = Json::object();
        for (int count = upTo(3); count > 0; --count) {
            const std::string key = oneOf(kNames) + std::to_string(count);
            switch (upTo(5)) {
            case 0:
                result[key] = chance(2);
                break;
            case 1:
                result[key] = Json();
                break;
            case 2:
                result[key] = {{"in", {own(), upTo(9)}}, {"empty", Json::array()}};
                break;
            case 3:
                result[key] = chance(2) ? "" : "\u3000";
                break;
            default:
                result[key] = own();
            }
        }
        return result;
    }

    void addCalls(Json& messages) {
        Json turn = {{"role", "assistant"},
                     {"content", chance(3)   ? Json(own())
                                 : chance(2) ? Json(edged(""))
                                             : Json()}};
        std::vector<Json> answers;
        for (int count = 1 + upTo(2); count > 0; --count) {
            const std::string id = newId();
            const std::string name = oneOf(kNames);
            const Json values = arguments();
            turn["tool_calls"].push_back(call(id, name, values, chance(2)));
            const std::string told = chance(6) ? std::string(chance(2) ? "" : "\u00a0") : other();
            answers.push_back(answer(id, name, told));
        }
        add(std::move(turn), std::move(answers), 3, messages);
    }
};

} // namespace roundpipe::data
