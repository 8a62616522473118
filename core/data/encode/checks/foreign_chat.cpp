// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/foreign_chat.h"

#include "base/error.h"
#include "data/encode/spans/blanks.h"

#include <algorithm>
#include <array>

namespace roundpipe::data {
namespace {

struct KnownForm {
    ChatForm form;
    const char* name;
    std::array<std::string_view, 3> marks; // each behind the one before; the last is where an answer begins
    const char* end;                       // of an answer
    bool wantsEnd = false;                 // to be told from a form that is the same but for it
};

// The more telling ones first.
constexpr KnownForm kForms[] = {
    {ChatForm::kChatMarkup, "ChatML", {"<|im_start|>user", "", "<|im_start|>assistant\n"}, "<|im_end|>"},
    {ChatForm::kLlama3,
     "Llama 3",
     {"<|start_header_id|>user<|end_header_id|>", "", "<|start_header_id|>assistant<|end_header_id|>\n\n"},
     "<|eot_id|>"},
    {ChatForm::kGemma, "Gemma", {"<start_of_turn>user", "", "<start_of_turn>model\n"}, "<end_of_turn>"},
    {ChatForm::kPhi, "Phi", {"<|user|>", "<|end|>", "<|assistant|>\n"}, "<|end|>"},
    {ChatForm::kZephyr, "Zephyr", {"<|user|>", "</s>", "<|assistant|>\n"}, "</s>"},
    {ChatForm::kDeepSeek, "DeepSeek", {"<｜User｜>", "", "<｜Assistant｜>"}, "<｜end▁of▁sentence｜>"},
    {ChatForm::kLlama2, "Llama 2 / Mistral", {"[INST]", "", "[/INST]"}, "</s>", true},
    {ChatForm::kLlama2Line, "Llama 2 / Mistral", {"[INST]", "", "[/INST]"}, "[INST]"},
    {ChatForm::kCommand, "Command R", {"<|USER_TOKEN|>", "", "<|CHATBOT_TOKEN|>"}, "<|END_OF_TURN_TOKEN|>"},
    {ChatForm::kGptOss,
     "gpt-oss",
     {"<|start|>user<|message|>", "", "<|start|>assistant<|channel|>final<|message|>"},
     "<|end|>"}, // the last one's is <|return|>, with which the text ends
    {ChatForm::kAlpaca, "Alpaca", {"### Instruction:", "", "### Response:\n"}, "### Instruction:"},
    {ChatForm::kAlpacaLine, "Alpaca", {"### Instruction:", "", "### Response: "}, "### Instruction:"},
    {ChatForm::kGuanaco, "Guanaco", {"### Human: ", "", "### Assistant: "}, "### Human: "},
    {ChatForm::kVicuna, "Vicuna", {"USER: ", "", "ASSISTANT: "}, "</s>", true},
    {ChatForm::kVicunaDocument, "Vicuna", {"USER: ", "", "ASSISTANT: "}, "<|endoftext|>", true},
    {ChatForm::kVicunaLine, "Vicuna", {"USER: ", "", "ASSISTANT: "}, "USER: "},
    {ChatForm::kDialogue, "Human / Assistant", {"Human: ", "", "\n\nAssistant: "}, "\n\nHuman: "},
    {ChatForm::kDialogueLine, "Human / Assistant", {"Human: ", "", "\nAssistant: "}, "\nHuman: "},
    {ChatForm::kQuestionAnswer, "Question / Answer", {"### Question:", "", "### Answer:"}, "### Question:"},
    {ChatForm::kZephyrLine, "Zephyr", {"<|user|>", "", "<|assistant|>\n"}, "<|user|>"},
    {ChatForm::kUserMarks, "DeepSeek", {"<|User|>", "", "<|Assistant|>"}, "<|User|>"},
    {ChatForm::kUserDialogue, "User / Assistant", {"User: ", "", "\nAssistant: "}, "\nUser: "},
};

bool isIn(std::string_view text, const KnownForm& known) {
    std::size_t at = 0;
    for (const std::string_view mark : known.marks) {
        at = text.find(mark, at);
        if (at == std::string_view::npos) return false;
        at += mark.size();
    }
    return !known.wantsEnd || text.find(known.end, at) != std::string_view::npos;
}

// Where each form's answers begin, without blanks around it: of each row all of them are asked.
constexpr auto kCalls = [] {
    constexpr std::string_view kBlanks = " \n"; // no mark has others
    std::array<std::string_view, std::size(kForms)> calls;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::string_view mark = kForms[i].marks.back();
        const std::size_t first = mark.find_first_not_of(kBlanks);
        calls[i] = mark.substr(first, mark.find_last_not_of(kBlanks) + 1 - first);
    }
    return calls;
}();

const KnownForm& knownForm(ChatForm form) {
    const auto* known = std::ranges::find(kForms, form, &KnownForm::form);
    RP_CHECK(known != std::end(kForms));
    return *known;
}

} // namespace

ChatForm foreignFormIn(std::string_view text) {
    const auto* known = std::ranges::find_if(kForms, [&](const KnownForm& form) { return isIn(text, form); });
    return known == std::end(kForms) ? ChatForm::kNone : known->form;
}

std::string_view callForAnswerIn(std::string_view text) {
    const std::string_view said = stripped(text);
    if (said.empty()) return {};
    for (std::size_t i = 0; i < kCalls.size(); ++i) {
        const std::string_view call = kCalls[i];
        if (said.back() == call.back() && said.ends_with(call) &&
            said.find(kForms[i].marks.front()) < said.size() - call.size())
            return call;
    }
    return {};
}

const char* nameOf(ChatForm form) {
    return knownForm(form).name;
}

TurnMarkers turnsOf(ChatForm form) {
    const KnownForm& known = knownForm(form);
    return {std::string(known.marks.back()), known.end};
}

} // namespace roundpipe::data
