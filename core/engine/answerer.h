// SPDX-License-Identifier: GPL-3.0-or-later
// A model with at most one adapter that answers one prompt after another: for comparisons with other implementations.
// Who talks with a model asks session::Chat.
#pragma once

#include "engine/chat/loaded_model.h"
#include "generate/decoder.h"

#include <cstdint>
#include <span>
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

// One thread.
class Answerer {
public:
    explicit Answerer(const AnswererOptions& options);

    std::vector<int32_t> encodeChat(const std::string& system, const std::string& prompt); // empty system: none
    // The likeliest tokens after `prompt`, one after another, until one ends the answer or there are `count`, and the
    // logits that each was chosen by.
    struct Path {
        std::vector<int32_t> tokens;
        std::vector<std::vector<float>> logits;
    };
    Path likeliest(std::span<const int32_t> prompt, int64_t count);
    // The logits from which each of `tokens` would be chosen after `prompt` and those before it.
    std::vector<std::vector<float>> logitsAlong(std::span<const int32_t> prompt, std::span<const int32_t> tokens);
    // The logits after every one of `ids`, row by row.
    std::vector<std::vector<float>> logitsOfAll(std::span<const int32_t> ids);

private:
    generate::Decoder decoderFor(int64_t capacity);

    LoadedModel m_loaded;
};

} // namespace roundpipe::engine
