// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/answerer.h"

#include "artifact/adapter.h"
#include "artifact/adapter_config.h"
#include "base/error.h"
#include "device/open_devices.h"
#include "engine/gguf_weights.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::engine {

namespace {

void requireUtf8(const std::string& what, std::string_view said) {
    if (const auto invalid = text::firstInvalidUtf8(said))
        throw invalidInput(what + " is no UTF-8 from byte " + std::to_string(*invalid + 1) + " on.",
                           "Write it in UTF-8.");
}

} // namespace

std::vector<int32_t> encodeChat(const ModelText& text, const std::string& system, const std::string& prompt,
                                const std::string& templateArguments, const text::CivilTime& now) {
    requireUtf8("The system message", system);
    requireUtf8("The prompt", prompt);
    if (text.chatTemplate.source(false).empty()) // a base model goes on with what it is given
        return text.tokenizer.encode(system.empty() ? prompt : system + "\n\n" + prompt, true).ids;
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    if (!system.empty()) messages.push_back({{"role", "system"}, {"content", system}});
    messages.push_back({{"role", "user"}, {"content", prompt}});
    text::TemplateInput conversation;
    const std::string json = messages.dump();
    conversation.messages = json;
    conversation.arguments = templateArguments;
    text::RenderOptions options;
    options.addGenerationPrompt = true;
    options.now = now;
    return text.tokenizer.encode(text.chatTemplate.render(conversation, options).text, false).ids;
}

void requireFits(std::span<const int32_t> ids, const arch::ModelConfig& config) {
    if (static_cast<int64_t>(ids.size()) > config.maxPositions)
        throw invalidInput("The prompt has " + std::to_string(ids.size()) + " tokens, but the model has " +
                               std::to_string(config.maxPositions) + " positions.",
                           "Use a shorter prompt.");
}

std::vector<int32_t> stopIdsOf(const arch::ModelConfig& config, const text::Tokenizer& tokenizer) {
    std::vector<int32_t> ids = config.eosIds;
    if (tokenizer.special().eos && tokenizer.special().eos->id) ids.push_back(*tokenizer.special().eos->id);
    return ids;
}

Answerer::Answerer(const AnswererOptions& options)
    : m_templateArguments(options.chatTemplateArgs)
    , m_chatTemplateFile(options.chatTemplate)
    , m_folder(options.model)
    , m_adapter(options.adapter)
    , m_tokenizer(text::Tokenizer::open(options.model)) {
    session::RunSpec spec;
    spec.model.path = options.model;
    spec.lora.initFrom = options.adapter;
    const arch::ModelSpec modelSpec = options.gguf.empty() ? arch::makeModelSpec(arch::readModelConfig(options.model))
                                                           : specOfGguf(options.gguf, options.model);
    arch::requireRunnable(modelSpec.config);
    const arch::LoraConfig lora =
        options.adapter.empty() ? arch::LoraConfig{1, 1, 0, false, {}} : artifact::readAdapterConfig(options.adapter);
    m_devices = device::openDevices({options.device}, {});
    m_devices.resize(1); // "auto" may name several GPUs; one answers
    m_model = model::makeModel(modelSpec, lora, operandTypeOf(options.precision, onGpusOnly(m_devices)));
    m_store =
        std::make_unique<transfer::HostWeightStore>(m_model->layouts, m_model->operandType, m_devices[0]->pinnedHost());
    if (options.gguf.empty())
        fillStore(*m_store, spec, [](const session::Activity&) { return true; });
    else
        fillFromGguf(*m_store, options.gguf, modelSpec);
}

Answerer::~Answerer() = default;

std::vector<int32_t> Answerer::encodeRaw(const std::string& text) const {
    return m_tokenizer.encode(text, true).ids;
}

// An adapter was trained by the template that lies beside it, which may not be the model's.
text::ChatTemplate Answerer::chatTemplate() const {
    if (m_chatTemplateFile.empty() && !m_adapter.empty())
        if (auto own = text::ChatTemplate::fromModelFolder(m_adapter); !own.source(false).empty()) return own;
    return text::ChatTemplate::fromModelFolder(m_folder, m_chatTemplateFile);
}

std::vector<int32_t> Answerer::encodeChat(const std::string& system, const std::string& prompt) const {
    return engine::encodeChat({m_tokenizer, chatTemplate()}, system, prompt, m_templateArguments, text::localTimeNow());
}

generate::Answer Answerer::answer(std::span<const int32_t> prompt, const generate::SamplingOptions& options,
                                  const std::function<bool(const std::string&)>& onText) {
    requireFits(prompt, m_model->spec.config);
    generate::Decoder decoder(*m_model, *m_store, *m_devices[0],
                              static_cast<int64_t>(prompt.size()) + options.maxNewTokens, true);
    return generate::generateText(decoder, m_tokenizer, prompt, stopIdsOf(m_model->spec.config, m_tokenizer), options,
                                  onText);
}

Answerer::Path Answerer::likeliest(std::span<const int32_t> prompt, int64_t count) {
    requireFits(prompt, m_model->spec.config);
    generate::Decoder decoder(*m_model, *m_store, *m_devices[0], static_cast<int64_t>(prompt.size()) + count, true);
    const std::vector<int32_t> stops = stopIdsOf(m_model->spec.config, m_tokenizer);
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
    generate::Decoder decoder(*m_model, *m_store, *m_devices[0], static_cast<int64_t>(prompt.size() + tokens.size()),
                              true);
    std::vector<std::vector<float>> rows{decoder.advance(prompt)};
    while (rows.size() < tokens.size())
        rows.push_back(decoder.advance(tokens.subspan(rows.size() - 1, 1)));
    return rows;
}

std::vector<std::vector<float>> Answerer::logitsOfAll(std::span<const int32_t> ids) {
    generate::Decoder decoder(*m_model, *m_store, *m_devices[0], static_cast<int64_t>(ids.size()), true);
    std::vector<std::vector<float>> rows;
    for (const int32_t& id : ids)
        rows.push_back(decoder.advance({&id, 1}));
    return rows;
}

} // namespace roundpipe::engine
