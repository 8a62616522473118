// SPDX-License-Identifier: GPL-3.0-or-later
// What a model's template makes of one row: every rendering of it, as finding the assistant's turns takes several.
// Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/rows/json/row_json.h"
#include "text/chat_template.h"

#include <cstddef>
#include <string>

namespace roundpipe::data {

// Holds references to what it is given. Used by one thread.
class RowRenderer {
public:
    // `tools`: of the row; null for none.
    RowRenderer(const DataOptions& options, const text::ChatTemplate& chatTemplate, const Json& tools);

    // Throws RowProblem (kTemplate) where the template refuses the messages, TemplateSpent where that one rendering, or
    // all of them together, take too long, and Error (kUnsupported) where the template cannot be rendered at all.
    text::Rendered render(const Json& messages, bool addGenerationPrompt = false);

private:
    bool canRenderWithTools(const std::string& messages) const; // a list without one
    void spend(std::size_t bytes);

    const DataOptions& m_options;
    const text::ChatTemplate& m_template;
    const std::string m_tools; // JSON, or empty
    std::size_t m_bytesLeft;   // of renderings
};

} // namespace roundpipe::data
