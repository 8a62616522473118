// SPDX-License-Identifier: GPL-3.0-or-later
// Plain texts that hold chats as the templates of other models print them, told by what those write around turns.
#pragma once

#include "data/options.h"

#include <cstdint>
#include <string_view>

namespace roundpipe::data {

enum class ChatForm : uint8_t {
    kNone,
    kModels, // by the template of the model itself (rendered_chat.h)
    kChatMarkup,
    kLlama3,
    kLlama2,
    kLlama2Line, // without </s>
    kGemma,
    kPhi,
    kZephyr,
    kDeepSeek,
    kCommand,
    kGptOss,
    kAlpaca,
    kAlpacaLine,
    kGuanaco,
    kVicuna,
    kVicunaDocument, // with the end of a text behind each answer, as Glaive's sets have it
    kVicunaLine,     // without an end
    kDialogue,
    kDialogueLine,
    kQuestionAnswer,
    kZephyrLine,
    kUserMarks, // DeepSeek's in plain letters, without its ends
    kUserDialogue,
};

// kNone, or of another model: the first form of which an answer stands behind a question in the text.
ChatForm foreignFormIn(std::string_view text);

// What stands before an answer in one of these forms, without blanks around it, where a text with a question ends with
// it; else empty.
std::string_view callForAnswerIn(std::string_view text);

// Of another model's form: the name that people know it by, in every language, and what stands around its answers, for
// data.turn_begin and data.turn_end.
const char* nameOf(ChatForm form);
TurnMarkers turnsOf(ChatForm form);

} // namespace roundpipe::data
