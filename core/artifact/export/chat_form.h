// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of chats that can be said in Ollama's templates, found by what a model's own template really writes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::artifact {

// How a chat is written: texts around what each role says. `bos` stands in no form: programs put it there themselves.
struct PromptForm {
    const char* name; // "ChatML"
    const char* systemBegin;
    const char* systemEnd;
    const char* userBegin;
    const char* userEnd;
    const char* assistantBegin;
    const char* assistantEnd;
    std::vector<std::string> stops; // texts that end an answer
};

// The form that the folder's template has, and the system message that it writes where a chat has none (empty: none).
// Nothing where it is none of those that are known, or the folder has no template.
struct FoundForm {
    PromptForm form;
    std::string defaultSystem;
};
std::optional<FoundForm> findChatForm(const std::filesystem::path& textFolder);

} // namespace roundpipe::artifact
