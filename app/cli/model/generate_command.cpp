// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe generate: let a model, with or without adapters, answer one prompt.
#include "base/counted.h"
#include "base/log.h"
#include "chat/answer_json.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/stop_signal.h"
#include "engine/chat/local_chat.h"
#include "exit_codes.h"
#include "options/chat_input.h"
#include "options/sampling_input.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace roundpipe::cli {
namespace {

struct GenerateOptions {
    ChatInput input;
    session::SamplingOptions sampling;
    std::string prompt;
    std::string system;
    bool raw = false;
    bool json = false;
    int64_t numLikeliest = 0;
};

// The first token comes of the prompt.
void sayPace(const session::ChatAnswer& answer) {
    log::debug(
        fmt::format("prompt: {} in {:.3f} s; answer: {}, {:.1f} tokens/s", counted(answer.numPromptTokens, "token"),
                    answer.promptSeconds, counted(answer.numTokens, "token"),
                    answer.answerSeconds > 0 ? static_cast<double>(answer.numTokens - 1) / answer.answerSeconds : 0.0));
}

session::ChatQuestion questionOf(const GenerateOptions& options) {
    session::ChatQuestion question;
    if (options.raw) question.rawText = options.prompt;
    if (!options.system.empty()) question.messages.push_back({"system", options.system});
    question.messages.push_back({"user", options.prompt});
    question.adapters = options.input.weights();
    question.sampling = options.sampling;
    if (options.json) question.numLikeliest = options.numLikeliest;
    return question;
}

int generateAnswer(const GenerateOptions& options) {
    const StopSignal stop;
    const session::ChatSetup setup = options.input.setup();
    const std::unique_ptr<session::Chat> chat =
        engine::openChat(setup, [&](const session::Activity&) { return !stop.requested(); });
    const session::ChatAnswer answer = chat->answer(questionOf(options), [&](const session::ChatPiece& piece) {
        if (!options.json && !piece.text.empty()) {
            fmt::print("{}", piece.text); // which may hold a NUL
            std::fflush(stdout);
        }
        return !stop.requested();
    });
    if (options.json)
        printJson(answerJson(answer));
    else
        std::fputs("\n", stdout);
    std::fflush(stdout); // before what is said of it
    if (answer.end == session::AnswerEnd::kLimit)
        fmt::print(stderr, "(cut off after {}; raise {} for more)\n", countOf(answer.numTokens, "token"),
                   answer.numTokens == options.sampling.maxNewTokens ? "--max-new-tokens" : "--context");
    sayPace(answer);
    return stop.requested() ? kStopped : kSuccess;
}

} // namespace

CommandBody addGenerateCommand(CLI::App& app) {
    const auto options = std::make_shared<GenerateOptions>();
    options->input.addTo(app, 0);
    app.add_option("--prompt", options->prompt, "What the user says.")->required();
    app.add_option("--system", options->system, "What the system message says.");
    app.add_flag("--raw", options->raw, "Continue the prompt as it stands, without the chat template.");
    addSampling(app, options->sampling);
    CLI::Option* json = app.add_flag("--json", options->json,
                                     "Print JSON: the answer, the prompt's tokens, and each token's probability.");
    app.add_option("--likeliest", options->numLikeliest, "With --json: so many of the likeliest beside each token. (0)")
        ->check(CLI::Range(0, 100))
        ->needs(json);
    return [options] { return generateAnswer(*options); };
}

} // namespace roundpipe::cli
