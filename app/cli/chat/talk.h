// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with a model, and beside it, where it is wanted, the same one with the base model.
#pragma once

#include "session/chat.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::cli {

struct TalkSettings {
    std::string model;                            // as it was named
    std::string system;                           // empty: no such message
    std::vector<session::AdapterWeight> adapters; // that answer; none: the base model
    double strength = 1;                          // a factor on all of their weights
    session::SamplingOptions sampling;
};

// Who answers: the adapters, or the base model alone.
struct TalkSide {
    std::string label; // "base", "tuned"; empty where there is one side
    bool isBase = false;
    std::vector<session::ChatMessage> messages = {}; // without the system's
    session::ChatAnswer answer = {};                 // the last one
};

// One thread.
class Talk {
public:
    Talk(session::Chat& chat, TalkSettings settings);

    TalkSettings& settings() { return m_settings; }
    const session::ChatAbout& about() const { return m_chat.about(); }
    const std::vector<TalkSide>& sides() const { return m_sides; } // base before tuned

    // Each side answers in turn; `begin` is called before each, `onPiece` with its text, false ends it. What was said
    // of an answer that was stopped stays. An error leaves the conversation as it was.
    void ask(const std::string& said, const std::function<void(const TalkSide&)>& begin,
             const std::function<bool(std::string_view)>& onPiece);
    void forget(); // all that was said; settings stay

    bool compares() const { return m_sides.size() > 1; }
    void compare(bool wanted); // the base model's side begins with what was said so far

    // System's message, last question and answer of the adapters' side; empty before the first one.
    std::vector<session::ChatMessage> lastExchange() const;

    std::string asJson() const;
    static bool isConversation(const std::string& text); // of asJson()
    // Of asJson(): what was said, by whom, and how tokens are chosen; what a file does not say stays. Throws
    // kInvalidInput, for an adapter that was not loaded too; all is then as it was.
    void load(const std::string& json);

private:
    TalkSide& tuned() { return m_sides.back(); }
    const TalkSide& tuned() const { return m_sides.back(); }
    // What asJson() says beside the messages.
    TalkSettings settingsIn(const nlohmann::ordered_json& said) const;
    session::ChatQuestion questionOf(const TalkSide& side) const;

    session::Chat& m_chat;
    TalkSettings m_settings;
    std::vector<TalkSide> m_sides;
};

} // namespace roundpipe::cli
