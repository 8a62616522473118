// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/consumers.h"

#include "artifact/export/model_card.h"
#include "artifact/gguf/gguf_names.h"
#include "base/error.h"
#include "text/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace roundpipe::artifact {
namespace {

constexpr const char* kVllm = "vLLM";
constexpr const char* kLlamaCpp = "llama.cpp and Ollama";
constexpr const char* kPeft = "PEFT";

using Remarks = std::vector<ConsumerRemark>;

void addForVllm(Remarks& remarks, const AdapterFacts& adapter) {
    if (vllmRankFor(adapter.rank) == 0)
        remarks.push_back({kVllm, true, fmt::format("takes no adapter of rank {}: its largest is 512", adapter.rank),
                           "Train with lora.rank 512 at most, or export the merged model (--to merged)."});
    else
        remarks.push_back(
            {kVllm,
             false,
             fmt::format("takes rank {} with 'vllm serve --max-lora-rank {}'; it knows no other limits than "
                         "1, 8, 16, 32, 64, 128, 256, 320 and 512",
                         adapter.rank, vllmRankFor(adapter.rank)),
             {}});
    if (!adapter.wholeNames.empty())
        remarks.push_back({kVllm, true,
                           fmt::format("takes no adapter with modules that were trained whole ({})",
                                       fmt::join(adapter.wholeNames, ", ")),
                           "Leave lora.modules_to_save empty, or export the merged model (--to merged)."});
    if (adapter.adaptsHead)
        remarks.push_back({kVllm, false, "takes an adapter of lm_head for some models only",
                           "Leave lm_head out of lora.targets, or export the merged model (--to merged)."});
}

void addForLlamaCpp(Remarks& remarks, const arch::ModelSpec& model, const AdapterFacts& adapter) {
    if (!adapter.wholeNames.empty())
        remarks.push_back({kLlamaCpp, true,
                           fmt::format("have no place in a GGUF adapter for modules that were trained whole ({})",
                                       fmt::join(adapter.wholeNames, ", ")),
                           "Export the merged model (--to gguf or ollama)."});
    if (adapter.adaptsHead && model.config.tiedEmbeddings)
        remarks.push_back({kLlamaCpp, true,
                           "take no adapter of lm_head where the model's head is its embedding, as here",
                           "Leave lm_head out of lora.targets, or export the merged model (--to gguf or ollama), where "
                           "the head gets a table of its own."});
    if (adapter.rsLora || adapter.hasStrengths)
        remarks.push_back({kLlamaCpp, false,
                           "read neither rank-stabilised scales nor alphas of single modules; --to gguf-adapter writes "
                           "an alpha, or a B, with which alpha / rank is right",
                           "Use --to gguf-adapter, not llama.cpp's own convert_lora_to_gguf.py."});
    remarks.push_back({kLlamaCpp, false, "give an adapter's answers best on the base that it was trained on",
                       "Export the base, or the merged model, with --to gguf or ollama."});
}

void addForModel(Remarks& remarks, const arch::ModelSpec& model, int64_t tokenizerTokens) {
    const arch::ModelConfig& config = model.config;
    try {
        ggufArchitecture(config);
    } catch (const Error& error) {
        remarks.push_back({kLlamaCpp, true, "get no GGUF file of this model: " + error.message(), error.advice()});
    }
    if (std::ranges::any_of(config.slidingWindow, [](int64_t window) { return window > 0; }) &&
        config.family == arch::Family::kMistral)
        remarks.push_back({kLlamaCpp, false,
                           "look at all of a text where this model looks at its sliding window alone: answers differ "
                           "once a text is longer",
                           "Keep texts shorter than the window."});
    if (tokenizerTokens > config.vocabSize)
        remarks.push_back({"all", true,
                           fmt::format("have no row in the embedding for {} of the tokenizer's {} tokens",
                                       tokenizerTokens - config.vocabSize, tokenizerTokens),
                           "Enlarge the embedding with transformers (resize_token_embeddings) before training."});
    if (tokenizerTokens > 0 && tokenizerTokens < config.vocabSize)
        remarks.push_back({kLlamaCpp,
                           false,
                           fmt::format("list {} tokens that the tokenizer does not have as unused",
                                       config.vocabSize - tokenizerTokens),
                           {}});
}

} // namespace

AdapterFacts factsOf(const LoraFile& lora) {
    AdapterFacts facts;
    facts.rsLora = lora.rsLora();
    facts.wholeNames = lora.wholeTensors();
    for (const LoraModule& module : lora.modules()) {
        facts.rank = std::max(facts.rank, module.rank);
        facts.adaptsHead |= module.module == "lm_head";
        facts.hasStrengths |=
            module.scale != lora.modules().front().scale || module.rank != lora.modules().front().rank;
    }
    return facts;
}

AdapterFacts factsOf(const arch::ModelSpec& model, const arch::LoraConfig& lora) {
    AdapterFacts facts{lora.rank, lora.rsLora, false, false, lora.modulesToSave};
    facts.adaptsHead = !arch::adaptedLinears(model, lora).back().empty();
    return facts;
}

std::vector<ConsumerRemark> remarksOnConsumers(const arch::ModelSpec& model, const AdapterFacts* adapter,
                                               int64_t tokenizerTokens) {
    Remarks remarks;
    if (adapter != nullptr) {
        addForVllm(remarks, *adapter);
        addForLlamaCpp(remarks, model, *adapter);
        if (!adapter->wholeNames.empty() && model.config.tiedEmbeddings)
            remarks.push_back({kPeft, false,
                               "keeps embedding and head one table only in versions that know ensure_weight_tying",
                               "Use a PEFT of 2025 or newer, or export the merged model (--to merged)."});
    }
    addForModel(remarks, model, tokenizerTokens);
    return remarks;
}

std::vector<ConsumerRemark> remarksOnAllKinds(const ExportJob& job) {
    const int64_t tokenizerTokens = text::Tokenizer::open(job.model).vocabSize();
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(job.model));
    if (job.adapters.empty()) return remarksOnConsumers(model, nullptr, tokenizerTokens);
    Remarks all;
    for (const WeightedAdapter& adapter : job.adapters) {
        const AdapterFacts facts = factsOf(LoraFile::open(adapter.folder));
        for (ConsumerRemark& remark : remarksOnConsumers(model, &facts, tokenizerTokens))
            if (std::ranges::find(all, remark) == all.end()) all.push_back(std::move(remark));
    }
    return all;
}

std::vector<ConsumerRemark> remarksOn(const ExportJob& job) {
    const bool isGguf = job.kind != ExportKind::kAdapter && job.kind != ExportKind::kMerged;
    const bool hasAdapter = job.kind == ExportKind::kAdapter || job.kind == ExportKind::kGgufAdapter ||
                            (job.kind == ExportKind::kOllama && job.adapterApart);
    ExportJob seen = job;
    if (!hasAdapter) seen.adapters.clear(); // it is in the weights
    Remarks remarks = remarksOnAllKinds(seen);
    std::erase_if(remarks, [&](const ConsumerRemark& remark) {
        return remark.consumer == kLlamaCpp ? !isGguf
                                            : isGguf && (remark.consumer == kVllm || remark.consumer == kPeft);
    });
    return remarks;
}

} // namespace roundpipe::artifact
