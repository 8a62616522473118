// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations → the text that a model was trained to read, by the model's own Jinja chat template, with the bytes
// that transformers would give.
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::text {

// The moment that templates see as now (strftime_now), without a time zone. A run freezes it, so that its texts and
// their cache stay the same on the next day.
struct CivilTime {
    int year = 2024;
    int month = 1; // 1 to 12
    int day = 1;   // 1 to 31
    int hour = 0;
    int minute = 0;
    int second = 0;
};

CivilTime localTimeNow();

struct RenderOptions {
    bool addGenerationPrompt = false;
    CivilTime now = {}; // the run's frozen date
};

// What to render; all parts are JSON, the optional ones empty for none.
struct TemplateInput {
    std::string_view messages = {};  // a list of objects with "role" and "content" and whatever else the template knows
    std::string_view tools = {};     // a list of objects
    std::string_view documents = {}; // a list of objects
    std::string_view arguments = {}; // an object: further variables of the template ({"enable_thinking": false})
};

struct Rendered {
    std::string text;
    // What {% generation %} blocks wrote, in the order of the text: the template's own, or those that we know to put
    // into it (crate/abi/src/tags.rs).
    std::vector<Span> generationSpans;
    bool hasGenerationTags = false; // of the template, whether or not such a block ran
};

// A rendering took more steps than one may, which is seconds.
class TemplateSpent : public Error {
public:
    explicit TemplateSpent(std::string message) : Error(ErrorKind::kInvalidInput, std::move(message)) {}
};

// Immutable: any number of threads may render at once.
class ChatTemplate {
public:
    // The template of `overrideFile` (--chat-template) or, without one, of the folder: chat_template.jinja (with
    // additional_chat_templates/), tokenizer_config.json, chat_template.json, in this order. Special tokens come from
    // the folder either way. A model may have none, as base models do: only rendering refuses that then (kUnsupported).
    // Throws Error where the files are broken.
    static ChatTemplate fromModelFolder(const std::filesystem::path& modelFolder,
                                        const std::filesystem::path& overrideFile = {});

    // A template by itself. `specialTokens`: a JSON object such as {"bos_token": "<s>"}, or empty.
    static ChatTemplate fromSource(std::string_view source, std::string_view specialTokens = {});

    // Throws kInvalidInput with the template's line where the template refuses the conversation or fails as it would in
    // Python (TemplateSpent where it takes too many steps), kUnsupported where it uses something that we could not
    // render as Python does.
    Rendered render(const TemplateInput& conversation, const RenderOptions& options) const;

    // The template that is used with or without tools (models may have a template for each), for cache keys. Empty
    // where the model has none.
    std::string source(bool withTools) const;
    bool hasGenerationTags(bool withTools) const; // throws where the model has no template

private:
    explicit ChatTemplate(std::shared_ptr<const void> handle) : m_handle(std::move(handle)) {}

    std::shared_ptr<const void> m_handle;
};

} // namespace roundpipe::text
