// SPDX-License-Identifier: GPL-3.0-or-later
// The door to a model that answers: loaded once, with any number of adapters, and asked by whoever wants an answer. The
// command line, `core/serve` and the window know this interface only; core/engine implements it.
//
// Everything that crosses is a plain value.
#pragma once

#include "base/choices.h"
#include "session/activity.h"
#include "session/answering.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::session {

struct ChatAdapter {
    std::string name;   // by which questions name it; each its own
    std::string folder; // as PEFT or a run writes it
};

// What is loaded.
struct ChatSetup {
    std::string model; // its folder
    std::vector<ChatAdapter> adapters = {};
    std::string chatTemplate = {}; // a file; empty: the one beside the adapter that answers, else the model folder's
    std::string chatTemplateArgs = {}; // a JSON object; empty: none
    std::string device = "auto";
    Precision precision = Precision::kAuto;
    int64_t contextTokens = 0; // of a conversation with its answer, for which there is room from the beginning; 0: as
                               // many as each question needs. Never more than the model has positions
    int64_t keptBytes = int64_t{1} << 30; // host memory for what was read of conversations that others interrupted
};

// What is known once it is loaded.
struct ChatAbout {
    std::string model;                 // "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters"
    std::string device;                // "cuda:0 NVIDIA GeForce RTX 4090", "cpu:0"
    std::vector<std::string> adapters; // names, in the order of the setup
    int64_t contextTokens = 0;         // of a conversation with its answer at most
};

// How much of an adapter's product is added; 0: nothing of it.
struct AdapterWeight {
    std::string name;
    double weight = 1;
};

struct ChatMessage {
    std::string role; // "system", "user", "assistant", and what else the model's template knows
    std::string content;
};

struct ChatQuestion {
    std::vector<ChatMessage> messages = {};   // up to the one that is answered
    std::optional<std::string> rawText = {};  // continued as it stands, in place of messages
    std::string chatTemplateArgs = {};        // a JSON object, over that of the setup
    std::vector<AdapterWeight> adapters = {}; // none: the base model. By the first one's template all of it
                                              // is written, whatever its weight
    SamplingOptions sampling = {};
    std::optional<int64_t> numLikeliest = {}; // each token's probability is wanted, with so many of the likeliest
};

struct ChatAnswer {
    std::string text;
    AnswerEnd end = AnswerEnd::kEndToken;
    std::vector<TokenText> prompt = {};   // the tokens that the model was given; where probabilities are wanted
    std::vector<TokenChoice> tokens = {}; // of the answer, its end token too; where they are wanted
    int64_t numPromptTokens = 0;
    int64_t numKeptTokens = 0; // of the prompt, that were read for an earlier answer
    int64_t numTokens = 0;     // new ones, the end token included
    double promptSeconds = 0;  // until the first token could be chosen
    double answerSeconds = 0;  // for all tokens after the first
};

// What has come of an answer since the last piece: whole characters, nothing of a stop text, and often nothing.
struct ChatPiece {
    std::string text = {};
    const TokenChoice* token = nullptr; // that was chosen; null: none was, or its probability is not wanted
};
// Called in the thread that asks, first when the question was accepted, then while it waits for others, after each
// piece of a long prompt and after each token. False: the answer ends here.
using OnChatPiece = std::function<bool(const ChatPiece&)>;

// Any thread may ask at any time; one question is answered at a time, the others wait in the order in which they came.
// Destroyed only when nobody asks any more.
class Chat {
public:
    virtual ~Chat() = default;

    virtual const ChatAbout& about() const = 0;
    // Blocks until the answer has ended. Throws kInvalidInput for an unknown adapter, a text that is no UTF-8, a
    // template that refuses the messages, and a prompt that leaves no room for an answer; kOutOfMemory; kDevice.
    virtual ChatAnswer answer(const ChatQuestion& question, const OnChatPiece& onPiece = {}) = 0;
};

// Loads a model, which blocks; says meanwhile what is being done, and false cancels (kCancelled). Throws what reading
// the parts does, each error naming its file, kOutOfMemory and kDevice.
using ChatOpener = std::function<std::unique_ptr<Chat>(const ChatSetup& setup,
                                                       const std::function<bool(const Activity&)>& onActivity)>;

// What an adapter is called where nobody names it: its folder's name, or that of the run whose adapter it is
// (RUN/adapter is RUN, RUN/checkpoints/best is RUN-best). A model's folder likewise.
std::string nameOfFolder(const std::string& folder);

} // namespace roundpipe::session
