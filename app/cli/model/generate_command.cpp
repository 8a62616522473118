// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe generate: let a model, with or without an adapter, answer one prompt.
#include "base/log.h"
#include "commands.h"
#include "console/stop_signal.h"
#include "engine/answerer.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/choice_option.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace roundpipe::cli {
namespace {

struct GenerateOptions {
    engine::AnswererOptions answerer;
    generate::SamplingOptions sampling;
    std::string prompt;
    std::string system;
    bool raw = false;
};

// The first token comes of the prompt.
void sayPace(std::size_t promptTokens, const generate::Answer& answer) {
    log::debug(
        fmt::format("prompt: {} tokens in {:.3f} s; answer: {} tokens, {:.1f} tokens/s", promptTokens,
                    answer.promptSeconds, answer.numTokens,
                    answer.answerSeconds > 0 ? static_cast<double>(answer.numTokens - 1) / answer.answerSeconds : 0.0));
}

int generateAnswer(const GenerateOptions& options) {
    engine::AnswererOptions from = options.answerer;
    from.model = fetchedModel(from.model);
    const StopSignal stop;
    engine::Answerer answerer(from);
    const std::vector<int32_t> ids =
        options.raw ? answerer.encodeRaw(options.prompt) : answerer.encodeChat(options.system, options.prompt);
    const generate::Answer answer = answerer.answer(ids, options.sampling, [&](const std::string& piece) {
        std::fputs(piece.c_str(), stdout);
        std::fflush(stdout);
        return !stop.requested();
    });
    std::fputs("\n", stdout);
    if (!answer.stopped && answer.numTokens == options.sampling.maxNewTokens)
        std::fprintf(stderr, "(cut off after %lld tokens; raise --max-new-tokens for more)\n",
                     static_cast<long long>(answer.numTokens));
    sayPace(ids.size(), answer);
    return stop.requested() ? kStopped : kSuccess;
}

} // namespace

CommandBody addGenerateCommand(CLI::App& app) {
    const auto options = std::make_shared<GenerateOptions>();
    engine::AnswererOptions& answerer = options->answerer;
    generate::SamplingOptions& sampling = options->sampling;
    app.add_option("--model", answerer.model, "Model folder, or hf:OWNER/NAME.")->required();
    app.add_option("--adapter", answerer.adapter, "Adapter folder, as PEFT or a run writes it.");
    app.add_option("--prompt", options->prompt, "What the user says.")->required();
    app.add_option("--system", options->system, "What the system message says.");
    app.add_flag("--raw", options->raw, "Continue the prompt as it stands, without the chat template.");
    app.add_option("--chat-template", answerer.chatTemplate,
                   "Template file that replaces the adapter's own, or the model folder's.");
    app.add_option("--chat-template-args", answerer.chatTemplateArgs, "JSON object of extra template variables.");
    app.add_option("--device", answerer.device, "auto, cpu, cuda:0, …");
    addChoice(app, "--precision", answerer.precision, "Type of weights and activations.");
    app.add_option("--max-new-tokens", sampling.maxNewTokens, "Tokens at most. (256)")->check(CLI::Range(1, 1 << 24));
    app.add_option("--temperature", sampling.temperature, "0: always the likeliest token. (0)")
        ->check(CLI::Range(0.0, 100.0));
    app.add_option("--top-k", sampling.topK, "Only the k likeliest tokens; 0: all. (0)")->check(CLI::Range(0, 1 << 24));
    app.add_option("--top-p", sampling.topP, "Only the likeliest tokens that together reach this probability. (1)")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--seed", sampling.seed, "Of the draws. (0)");
    return [options] { return generateAnswer(*options); };
}

} // namespace roundpipe::cli
