// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is loaded to answer: folder, tokenizer, template, weights and, where there is one, an adapter.
#pragma once

#include "device/device.h"
#include "engine/workload.h"
#include "generate/text_generator.h"

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::engine {

struct AnswererOptions {
    std::string model;
    std::string adapter;      // empty: the base model
    std::string gguf;         // weights from this file, as an export writes it; empty: the folder's. Without adapter
    std::string chatTemplate; // empty: the one beside the adapter, else the model folder's
    std::string chatTemplateArgs; // JSON object; empty: none
    std::string device = "auto";
    Precision precision = Precision::kAuto;
};

// The ids of a conversation of one user message, up to where the assistant begins. Empty system: no such message. For a
// model without a chat template, the prompt as it is. Throws kInvalidInput for a text that is no UTF-8.
std::vector<int32_t> encodeChat(const ModelText& text, const std::string& system, const std::string& prompt,
                                const std::string& templateArguments, const text::CivilTime& now);
// Throws kInvalidInput where a prompt has more tokens than the model has positions.
void requireFits(std::span<const int32_t> ids, const arch::ModelConfig& config);
// Every id that ends an answer: those of the model's configs and the tokenizer's own.
std::vector<int32_t> stopIdsOf(const arch::ModelConfig& config, const text::Tokenizer& tokenizer);

// One thread.
class Answerer {
public:
    explicit Answerer(const AnswererOptions& options);
    ~Answerer();

    std::vector<int32_t> encodeRaw(const std::string& text) const;
    std::vector<int32_t> encodeChat(const std::string& system, const std::string& prompt) const; // empty system: none
    generate::Answer answer(std::span<const int32_t> prompt, const generate::SamplingOptions& options,
                            const std::function<bool(const std::string&)>& onText = {});
    // The likeliest tokens after `prompt`, one after another, until one ends the answer or there are `count`, and the
    // logits that each was chosen by.
    struct Path {
        std::vector<int32_t> tokens;
        std::vector<std::vector<float>> logits;
    };
    Path likeliest(std::span<const int32_t> prompt, int64_t count);
    // The logits from which each of `tokens` would be chosen after `prompt` and those before it.
    std::vector<std::vector<float>> logitsAlong(std::span<const int32_t> prompt, std::span<const int32_t> tokens);
    // The logits after every one of `ids`, row by row: for comparisons with other implementations.
    std::vector<std::vector<float>> logitsOfAll(std::span<const int32_t> ids);

private:
    text::ChatTemplate chatTemplate() const;

    std::string m_templateArguments;
    std::string m_chatTemplateFile;
    std::string m_folder, m_adapter;
    text::Tokenizer m_tokenizer; // the template is opened only where a chat is encoded
    std::unique_ptr<const model::Model> m_model;
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::unique_ptr<transfer::HostWeightStore> m_store;
};

} // namespace roundpipe::engine
