// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations of random texts that tokenizers and templates find hard.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace roundpipe::data {

using Json = nlohmann::ordered_json;

inline Json say(const char* role, const std::string& content) {
    return {{"role", role}, {"content", content}};
}

struct RandomConversation {
    Json row;
    std::vector<std::string> answers, others;
};

// A function of the seed.
class Texts {
public:
    explicit Texts(unsigned seed) : m_random(seed) {}
    int upTo(int most) { return std::uniform_int_distribution(0, most)(m_random); }

    // Each holds a number of its own, so that it stands in the conversation once.
    std::string next() {
        static const char* kPieces[] = {"word",    " two words", "\n",     "\n\n- item", "  ",      "Grüße",
                                        "你好",    "👋🏽",   "x = 1",  "\tdef f():", "e\u0301", "<b>&amp;",
                                        "'s",      ".",          "12 345", "!?",         "a|b",     "[INST",
                                        "{% x %}", "###",        "user",   "\r\n",       "«quoted»"};
        const auto edge = [&] { return upTo(4) == 0 ? "\t" : ""; }; // a blank that no template writes itself
        std::string text = edge() + std::string("«");
        for (int count = upTo(6); count > 0; --count)
            text += kPieces[upTo(std::size(kPieces) - 1)];
        text += "No" + std::to_string(++m_number) + "x";
        if (upTo(3) == 0) text += kPieces[upTo(std::size(kPieces) - 1)] + std::string("»");
        text += edge();
        return text;
    }

    RandomConversation conversation(bool withSystem) {
        RandomConversation made;
        Json messages = Json::array();
        if (withSystem && upTo(1) == 0) {
            made.others.push_back(next());
            messages.push_back(say("system", made.others.back()));
        }
        for (int turns = 1 + upTo(3); turns > 0; --turns) {
            made.others.push_back(next());
            messages.push_back(say("user", made.others.back()));
            made.answers.push_back(next());
            messages.push_back(say("assistant", made.answers.back()));
        }
        made.row["messages"] = std::move(messages);
        return made;
    }

private:
    std::mt19937 m_random;
    int m_number = 0;
};

} // namespace roundpipe::data
