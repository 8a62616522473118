// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/chat_form.h"

#include "base/error.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <nlohmann/json.hpp>

namespace roundpipe::artifact {
namespace {

struct SampleTurn {
    const char* role;
    const char* content;
};
// What no template means anything by.
constexpr const char* kSystem = "Be brief, Ada.";
const std::vector<SampleTurn> kTalk = {{"user", "One?"}, {"assistant", "Two."}, {"user", "Three?"}};

const std::vector<PromptForm>& knownForms() {
    static const std::vector<PromptForm> forms = {
        {"ChatML",
         "<|im_start|>system\n",
         "<|im_end|>\n",
         "<|im_start|>user\n",
         "<|im_end|>\n",
         "<|im_start|>assistant\n",
         "<|im_end|>\n",
         {"<|im_end|>"}},
        {"Llama 3",
         "<|start_header_id|>system<|end_header_id|>\n\n",
         "<|eot_id|>",
         "<|start_header_id|>user<|end_header_id|>\n\n",
         "<|eot_id|>",
         "<|start_header_id|>assistant<|end_header_id|>\n\n",
         "<|eot_id|>",
         {"<|eot_id|>"}},
        {"Zephyr", "<|system|>\n", "</s>\n", "<|user|>\n", "</s>\n", "<|assistant|>\n", "</s>\n", {"</s>"}},
        {"Phi 3", "<|system|>\n", "<|end|>\n", "<|user|>\n", "<|end|>\n", "<|assistant|>\n", "<|end|>\n", {"<|end|>"}},
    };
    return forms;
}

std::string written(const PromptForm& form, const std::string& system) {
    std::string text;
    if (!system.empty()) text += form.systemBegin + system + form.systemEnd;
    for (const SampleTurn& turn : kTalk)
        text += std::string(turn.role) == "user" ? std::string(form.userBegin) + turn.content + form.userEnd
                                                 : std::string(form.assistantBegin) + turn.content + form.assistantEnd;
    return text + form.assistantBegin;
}

// As the model's own template has it, without the BOS that programs put before it.
std::string rendered(const text::ChatTemplate& chatTemplate, const std::string& bos, const char* system) {
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    if (system != nullptr) messages.push_back({{"role", "system"}, {"content", system}});
    for (const SampleTurn& turn : kTalk)
        messages.push_back({{"role", turn.role}, {"content", turn.content}});
    const std::string json = messages.dump();
    text::TemplateInput input;
    input.messages = json;
    text::RenderOptions options;
    options.addGenerationPrompt = true;
    std::string text = chatTemplate.render(input, options).text;
    if (!bos.empty() && text.starts_with(bos)) text.erase(0, bos.size());
    return text;
}

// What the template says where nobody gave a system message; nothing: it is not of the form then.
std::optional<std::string> defaultSystem(const PromptForm& form, const std::string& bare) {
    const std::string plain = written(form, "");
    if (bare == plain) return std::string();
    const std::string begin = form.systemBegin, rest = form.systemEnd + plain;
    if (!bare.starts_with(begin) || !bare.ends_with(rest) || bare.size() < begin.size() + rest.size())
        return std::nullopt;
    return bare.substr(begin.size(), bare.size() - begin.size() - rest.size());
}

} // namespace

std::optional<FoundForm> findChatForm(const std::filesystem::path& textFolder) {
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(textFolder);
    if (chatTemplate.source(false).empty()) return std::nullopt;
    const text::Tokenizer tokenizer = text::Tokenizer::open(textFolder);
    const std::string bos = tokenizer.special().bos ? tokenizer.special().bos->text : std::string();
    try {
        const std::string withSystem = rendered(chatTemplate, bos, kSystem);
        const std::string bare = rendered(chatTemplate, bos, nullptr);
        for (const PromptForm& form : knownForms())
            if (withSystem == written(form, kSystem))
                if (const auto system = defaultSystem(form, bare)) return FoundForm{form, *system};
    } catch (const Error&) {
        // A template that refuses this talk (no system message, say) is of no form that is known.
    }
    return std::nullopt;
}

} // namespace roundpipe::artifact
