// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/answerer.h"

#include "generate/sampler.h"

#include <algorithm>
#include <optional>

namespace roundpipe::engine {
namespace {

session::ChatSetup setupOf(const AnswererOptions& options) {
    session::ChatSetup setup;
    setup.model = options.model;
    if (!options.adapter.empty()) setup.adapters = {{"adapter", options.adapter}};
    setup.chatTemplate = options.chatTemplate;
    setup.chatTemplateArgs = options.chatTemplateArgs;
    setup.device = options.device;
    setup.precision = options.precision;
    return setup;
}

} // namespace

Answerer::Answerer(const AnswererOptions& options) : m_loaded(setupOf(options), {}, options.gguf) {}

generate::Decoder Answerer::decoderFor(int64_t capacity) {
    return {m_loaded.model(), m_loaded.store(), m_loaded.device(), capacity, true};
}

std::vector<int32_t> Answerer::encodeChat(const std::string& system, const std::string& prompt) {
    const auto adapter = m_loaded.setup().adapters.empty() ? std::nullopt : std::optional<std::size_t>(0);
    return engine::encodeChat({m_loaded.tokenizer(), m_loaded.chatTemplate(adapter)}, system, prompt,
                              m_loaded.setup().chatTemplateArgs, text::localTimeNow());
}

Answerer::Path Answerer::likeliest(std::span<const int32_t> prompt, int64_t count) {
    const arch::ModelConfig& config = m_loaded.model().spec.config;
    requireFits(prompt, config);
    generate::Decoder decoder = decoderFor(std::ssize(prompt) + count);
    const std::vector<int32_t> stops = stopIdsOf(config, m_loaded.tokenizer());
    Path path;
    std::vector<float> logits = decoder.advance(prompt);
    while (true) {
        path.tokens.push_back(generate::pickToken(logits, {}, decoder.position()));
        path.logits.push_back(std::move(logits));
        const int32_t& last = path.tokens.back();
        if (std::ssize(path.tokens) == count || std::ranges::find(stops, last) != stops.end()) return path;
        logits = decoder.advance({&last, 1});
    }
}

std::vector<std::vector<float>> Answerer::logitsAlong(std::span<const int32_t> prompt,
                                                      std::span<const int32_t> tokens) {
    generate::Decoder decoder = decoderFor(std::ssize(prompt) + std::ssize(tokens));
    std::vector<std::vector<float>> rows{decoder.advance(prompt)};
    while (rows.size() < tokens.size())
        rows.push_back(decoder.advance(tokens.subspan(rows.size() - 1, 1)));
    return rows;
}

std::vector<std::vector<float>> Answerer::logitsOfAll(std::span<const int32_t> ids) {
    generate::Decoder decoder = decoderFor(std::ssize(ids));
    std::vector<std::vector<float>> rows;
    for (const int32_t& id : ids)
        rows.push_back(decoder.advance({&id, 1}));
    return rows;
}

} // namespace roundpipe::engine
