// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/foreign_marks.h"

#include "data/encode/checks/foreign_chat.h"
#include "data/encode/spans/blanks.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

constexpr std::string_view kEnds[] = {"<|im_end|>",           "<|eot_id|>", "<|eom_id|>",    "<|end|>",
                                      "<|return|>",           "<|call|>",   "<|endoftext|>", "<|end_of_text|>",
                                      "<end_of_turn>",        "<eos>",      "</s>",          "<|END_OF_TURN_TOKEN|>",
                                      "<｜end▁of▁sentence｜>"};
// Each begins with one of the same two characters as the ends do.
constexpr std::string_view kOthers[] = {"<|im_start|>",
                                        "<|begin_of_text|>",
                                        "<|start_header_id|>",
                                        "<|end_header_id|>",
                                        "<start_of_turn>",
                                        "<|user|>",
                                        "<|assistant|>",
                                        "<|system|>",
                                        "<|User|>",
                                        "<|Assistant|>",
                                        "<｜User｜>",
                                        "<｜Assistant｜>",
                                        "<｜begin▁of▁sentence｜>",
                                        "<|channel|>",
                                        "<|message|>",
                                        "<|START_OF_TURN_TOKEN|>",
                                        "<|USER_TOKEN|>",
                                        "<|CHATBOT_TOKEN|>",
                                        "<|SYSTEM_TOKEN|>",
                                        "<<SYS>>",
                                        "<</SYS>>",
                                        "[INST]",
                                        "[/INST]"};
constexpr std::string_view kFirsts = "<[";
constexpr std::string_view kClosing = "</s>"; // of HTML, too, where it strikes out what stands behind a <s>

bool isOwn(std::string_view mark, const SpecialTokenFinder& finder) {
    return !finder.in(mark).empty();
}

std::string_view markAt(std::string_view text) {
    const auto stands = [&](std::string_view mark) { return text.starts_with(mark); };
    if (const auto* end = std::ranges::find_if(kEnds, stands); end != std::end(kEnds)) return *end;
    const auto* other = std::ranges::find_if(kOthers, stands);
    return other == std::end(kOthers) ? std::string_view() : *other;
}

void addOnce(std::string_view mark, std::vector<std::string_view>& marks) {
    if (!mark.empty() && std::ranges::find(marks, mark) == marks.end()) marks.push_back(mark);
}

bool isStruckOut(std::string_view mark, std::string_view text) {
    const std::size_t opening = text.find("<s>", 1);
    return mark == kClosing && opening != std::string_view::npos;
}

} // namespace

std::vector<std::string_view> foreignMarksIn(std::string_view text, const SpecialTokenFinder& finder) {
    std::vector<std::string_view> marks;
    for (const char first : kFirsts)
        for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1))
            if (const std::string_view mark = markAt(text.substr(at)); mark != kClosing) addOnce(mark, marks);
    addOnce(foreignEndOf(text, finder), marks); // </s> at the end alone
    addOnce(callForAnswerIn(text), marks);
    std::erase_if(marks, [&](std::string_view mark) { return isOwn(mark, finder); });
    return marks;
}

std::string_view foreignEndOf(std::string_view text, const SpecialTokenFinder& finder) {
    const std::string_view said = stripped(text);
    const auto* end = std::ranges::find_if(kEnds, [&](std::string_view mark) { return said.ends_with(mark); });
    if (end == std::end(kEnds) || isStruckOut(*end, said) || isOwn(*end, finder)) return {};
    return *end;
}

} // namespace roundpipe::data
