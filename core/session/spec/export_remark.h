// SPDX-License-Identifier: GPL-3.0-or-later
// What other programs refuse of a run's result, or do otherwise with it: known from the settings and the model before
// anything is trained, and from the files before anything is exported. Codes with arguments, whose spelling is the
// English text.
//
// Sources: vLLM's documentation of LoRA adapters (--max-lora-rank and its choices), llama.cpp's
// convert_lora_to_gguf.py, PEFT's LoraConfig (ensure_weight_tying).
#pragma once

#include "arch/layers.h"
#include "base/coded_text.h"
#include "session/spec/run_spec.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::session {

enum class Consumer { kVllm, kLlamaCpp, kPeft, kAll };
constexpr std::array<const char*, 4> spellings(Consumer) {
    return {"vLLM", "llama.cpp and Ollama", "PEFT", "all programs"};
}

// They go on from the consumer's name: "vLLM takes …".
enum class ExportNote {
    kNone,
    kRankTooLarge,
    kRankAsOption,
    kWholeModules,
    kHeadForSomeModels,
    kNoPlaceForWholeModules,
    kHeadIsTied,
    kScalesNotRead,
    kBestOnItsBase,
    kNoGguf,
    kWindowNotKept,
    kTokensWithoutRows,
    kUnusedTokens,
    kTablesTiedByNewer,
    kTextAlone,
};
constexpr std::array<const char*, 15> spellings(ExportNote) {
    return {"",
            "takes no adapter of rank %1: its largest is %2",
            "takes rank %1 with 'vllm serve --max-lora-rank %2'; it knows no other limits than %3",
            "takes no adapter with modules that are trained whole (%1)",
            "takes an adapter of lm_head for some models only",
            "have no place in a GGUF adapter for modules that are trained whole (%1)",
            "take no adapter of lm_head where the model's head is its embedding, as here",
            "read neither rank-stabilised scales nor alphas of single modules; --to gguf-adapter writes an alpha, or a "
            "B, with which alpha / rank is right",
            "give an adapter's answers best on the base that it was trained on",
            "get no GGUF file of this model: %1",
            "look at all of a text where this model looks at its sliding window alone: answers differ once a text is "
            "longer",
            "have no row in the embedding for %1 of the tokenizer's %2 tokens",
            "list %1 tokens that the tokenizer does not have as unused",
            "keeps embedding and head one table only in versions that know ensure_weight_tying",
            "get this model's text part: pictures need its projector, a file of its own (mmproj) that is not written "
            "here"};
}

enum class ExportAdvice {
    kNone,
    kAsSaid,
    kSmallerRank,
    kNoWholeModules,
    kNoHeadForMerged,
    kMergedGguf,
    kNoHeadForGguf,
    kOurGgufAdapter,
    kBaseAsGguf,
    kShorterTexts,
    kLargerEmbedding,
    kNewerPeft,
    kProjectorOfBase,
};
constexpr std::array<const char*, 13> spellings(ExportAdvice) {
    return {"",
            "%1",
            "Train with lora.rank %1 at most, or export the merged model (--to merged).",
            "Leave lora.modules_to_save empty, or export the merged model (--to merged).",
            "Leave lm_head out of lora.targets, or export the merged model (--to merged).",
            "Export the merged model (--to gguf or ollama).",
            "Leave lm_head out of lora.targets, or export the merged model (--to gguf or ollama), where the head gets "
            "a table of its own.",
            "Use --to gguf-adapter, not llama.cpp's own convert_lora_to_gguf.py.",
            "Export the base, or the merged model, with --to gguf or ollama.",
            "Keep texts shorter than the window.",
            "Enlarge the embedding with transformers (resize_token_embeddings) before training.",
            "Use a PEFT of 2025 or newer, or export the merged model (--to merged).",
            "Take the projector of the model that was trained, which training leaves as it is."};
}

struct ExportRemark {
    Consumer consumer = Consumer::kAll;
    bool refuses = false; // else: it takes it, and something is to be known
    CodedText<ExportNote> what;
    CodedText<ExportAdvice> advice;

    std::string text() const; // "vLLM takes no adapter of rank 1024: its largest is 512. Train with …", in English
    bool operator==(const ExportRemark&) const = default;
};

// What is known of an adapter before it is trained, and of one that lies there.
struct AdapterFacts {
    int64_t rank = 0; // the largest
    bool rsLora = false;
    bool hasStrengths = false;           // alphas or ranks of their own for some modules
    bool adaptsHead = false;             // a pair of matrices
    std::vector<std::string> wholeNames; // of modules that are trained whole
};
AdapterFacts factsOf(const arch::ModelSpec& model, const arch::LoraConfig& lora);

// The smallest --max-lora-rank with which vLLM takes adapters of this rank; 0: none, it is beyond the largest.
int64_t vllmRankFor(int64_t rank);

// On a base with such an adapter; null: a model without one. `tokenizerTokens`: of its tokenizer, 0 for not known.
// Whether a model can be a GGUF file is told by who writes those (artifact/export/consumers.h).
std::vector<ExportRemark> remarksOnExports(const arch::ModelSpec& model, const AdapterFacts* adapter,
                                           int64_t tokenizerTokens);
// Those that a run's result would be refused for, while its settings can still be changed.
std::vector<ExportRemark> refusalsOf(const RunSpec& spec, const arch::ModelSpec& model);

} // namespace roundpipe::session
