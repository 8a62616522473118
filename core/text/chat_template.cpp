// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/chat_template.h"

#include "text/ffi.h"

#include <ctime>

namespace roundpipe::text {

CivilTime localTimeNow() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    return {parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec};
}

namespace {

std::shared_ptr<const void> owned(void* handle, const RpFailure& failure) {
    if (handle == nullptr) raise(failure);
    return {handle, [](const void* pointer) { rp_template_free(const_cast<void*>(pointer)); }};
}

} // namespace

ChatTemplate ChatTemplate::fromModelFolder(const std::filesystem::path& modelFolder,
                                           const std::filesystem::path& overrideFile) {
    RpFailure failure{};
    void* handle = rp_template_open(borrow(modelFolder.native()), borrow(overrideFile.native()), &failure);
    return ChatTemplate(owned(handle, failure));
}

ChatTemplate ChatTemplate::fromSource(std::string_view source, std::string_view specialTokens) {
    RpFailure failure{};
    void* handle = rp_template_parse(borrow(source), borrow(specialTokens), &failure);
    return ChatTemplate(owned(handle, failure));
}

Rendered ChatTemplate::render(const TemplateInput& conversation, const RenderOptions& options) const {
    const auto part = [](int value) { return static_cast<uint32_t>(value); }; // out of range is refused in Rust
    const CivilTime& now = options.now;
    const RpRequest request{
        .messages = borrow(conversation.messages),
        .tools = borrow(conversation.tools),
        .documents = borrow(conversation.documents),
        .extra = borrow(conversation.arguments),
        .addGenerationPrompt = options.addGenerationPrompt,
        .year = now.year,
        .month = part(now.month),
        .day = part(now.day),
        .hour = part(now.hour),
        .minute = part(now.minute),
        .second = part(now.second),
    };
    RpRendered raw{};
    RpFailure failure{};
    if (!rp_template_render(m_handle.get(), &request, &raw, &failure)) {
        if (failure.kind != kSpentFailure) raise(failure);
        take(failure.advice);
        throw TemplateSpent(take(failure.message));
    }
    Rendered rendered;
    rendered.text.assign(raw.text.data, raw.text.size);
    for (size_t span = 0; span < raw.numSpans; ++span)
        rendered.generationSpans.push_back({raw.spans[2 * span], raw.spans[2 * span + 1]});
    rendered.hasGenerationTags = raw.hasGeneration;
    rp_rendered_free(raw);
    return rendered;
}

std::string ChatTemplate::source(bool withTools) const {
    RpBuffer text{};
    RpFailure failure{};
    if (!rp_template_source(m_handle.get(), withTools, &text, &failure)) raise(failure);
    return take(text);
}

bool ChatTemplate::hasGenerationTags(bool withTools) const {
    bool found = false;
    RpFailure failure{};
    if (!rp_template_has_generation(m_handle.get(), withTools, &found, &failure)) raise(failure);
    return found;
}

} // namespace roundpipe::text
