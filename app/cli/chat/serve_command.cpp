// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe serve: a model and its adapters for any client of OpenAI's chat completions.
#include "base/error.h"
#include "base/file.h"
#include "commands.h"
#include "console/passing_line.h"
#include "console/stop_signal.h"
#include "engine/chat/local_chat.h"
#include "exit_codes.h"
#include "options/adapter_words.h"
#include "options/chat_input.h"
#include "options/sampling_input.h"
#include "serve/chat_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <thread>

namespace roundpipe::cli {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

struct ServerOptions {
    ChatInput input;
    serve::ServeOptions serve;
    std::string keyFile;
    std::vector<std::string> sums; // "both=polly,formal=0.5"
    int64_t answerSeconds = 600;
    int64_t bodyMiB = 4;
};

// Of the option, else the file, else the environment; without the line feed that an editor leaves.
std::string keyOf(const ServerOptions& options) {
    std::string key = options.serve.key;
    if (!key.empty() && !options.keyFile.empty())
        throw invalidInput("--key and --key-file are both given.", "Give one of them.");
    if (key.empty() && !options.keyFile.empty()) {
        key = readTextFile(options.keyFile, 4096);
        key.erase(key.find_last_not_of(" \t\r\n") + 1);
        if (key.empty()) throw invalidInput("'" + options.keyFile + "' has no key in it.", "Write one line into it.");
    }
    if (const char* set = std::getenv("ROUNDPIPE_SERVE_KEY"); key.empty() && set != nullptr) key = set;
    return key;
}

// Several adapters by one name.
serve::ServedModel sumOf(const std::string& word, const std::vector<session::AdapterWeight>& loaded) {
    const std::size_t equals = word.find('=');
    serve::ServedModel sum{word.substr(0, equals)};
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
        throw invalidInput("--sum " + word + " names no sum.", "Write NAME=ADAPTER[=W],ADAPTER[=W]…");
    std::istringstream parts(word.substr(equals + 1));
    for (std::string part; std::getline(parts, part, ',');) {
        session::AdapterWeight adapter = adapterIn(part, loaded);
        if (std::ranges::find(sum.adapters, adapter.name, &session::AdapterWeight::name) != sum.adapters.end())
            throw invalidInput("--sum " + word + " names the adapter '" + adapter.name + "' twice.",
                               "Give it one weight.");
        sum.adapters.push_back(std::move(adapter));
    }
    return sum;
}

// The base model by its folder's name, or that of the Hub, each adapter by its own, and the sums.
std::vector<serve::ServedModel> modelsOf(const ServerOptions& options) {
    const std::vector<session::AdapterWeight> loaded = options.input.adapters();
    std::vector<serve::ServedModel> models = {{options.input.modelName()}};
    for (const session::AdapterWeight& adapter : loaded)
        models.push_back({adapter.name, {adapter}});
    for (const std::string& word : options.sums)
        models.push_back(sumOf(word, loaded));
    for (serve::ServedModel& model : models)
        for (session::AdapterWeight& adapter : model.adapters)
            adapter.weight *= options.input.strength();
    return models;
}

// " (the base model)", " (polly 0.7 + formal 0.3)"; of one adapter nothing, as it has its name.
std::string wordsFor(const serve::ServedModel& model) {
    if (model.adapters.empty()) return " (the base model)";
    if (model.adapters.size() == 1 && model.adapters[0].name == model.name) return {};
    std::vector<std::string> parts;
    for (const session::AdapterWeight& adapter : model.adapters)
        parts.push_back(fmt::format("{} {:g}", adapter.name, adapter.weight));
    return fmt::format(" ({})", fmt::join(parts, " + "));
}

void announce(const session::ChatAbout& about, const std::string& url, const serve::ServeOptions& options) {
    fmt::print("Serving {} on {} at {}/v1{}\n", about.model, about.device, url,
               options.key.empty() ? "" : ", with a key");
    for (const serve::ServedModel& model : options.models)
        fmt::print("  {}{}\n", model.name, wordsFor(model));
    std::fflush(stdout);
}

int serveModel(const ServerOptions& options) {
    const StopSignal stop;
    serve::ServeOptions serving = options.serve;
    serving.key = keyOf(options);
    serving.models = modelsOf(options);
    serving.answerTime = std::chrono::seconds(options.answerSeconds);
    serving.limits.bodyBytes = options.bodyMiB * kMiB;
    std::unique_ptr<session::Chat> chat; // outlives the server
    serve::ChatServer server(serving);   // soon: nobody wants to wait for a model to hear that the port is taken
    PassingLine loading;
    chat = engine::openChat(options.input.setup(), [&](const session::Activity& activity) {
        loading.show(session::textOf({activity}));
        return !stop.requested();
    });
    loading.show({});
    server.serve(*chat);
    announce(chat->about(), server.url(), serving);
    while (!stop.requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return kSuccess; // it is what ends a server
}

} // namespace

CommandBody addServeCommand(CLI::App& app) {
    const auto options = std::make_shared<ServerOptions>();
    serve::ServeOptions& serve = options->serve;
    serve.sampling.maxNewTokens = 4096;
    options->input.addTo(app, ChatInput::kContextTokens);
    app.add_option("--sum", options->sums,
                   "Several adapters by one name: NAME=ADAPTER[=W],ADAPTER[=W]…; without a weight as --adapter has it. "
                   "May be repeated.");
    app.add_option("--host", serve.host, "Address to listen at; beyond this machine only with a key. (127.0.0.1)");
    app.add_option("--port", serve.port, "0: any that is free; the first line printed says it. (8080)");
    app.add_option("--key", serve.key, "What clients must know; other users of this machine may see it here.");
    app.add_option("--key-file", options->keyFile, "A file with the key in it. Else $ROUNDPIPE_SERVE_KEY.");
    app.add_option("--max-waiting", serve.numWaiting, "Requests that may wait while one is answered. (16)")
        ->check(CLI::Range(0, 1000));
    app.add_option("--timeout", options->answerSeconds, "Seconds for an answer at most, waiting included. (600)")
        ->check(CLI::Range(1, 86400));
    app.add_option("--max-body", options->bodyMiB, "MiB of a request at most. (4)")->check(CLI::Range(1, 1024));
    addSampling(app, serve.sampling);
    app.get_option("--seed")->description("Of the draws, where a request names none. (another for each request)");
    app.get_option("--max-new-tokens")->description("Tokens of an answer at most, whatever a request asks for. (4096)");
    const CLI::Option* seed = app.get_option("--seed");
    return [options, seed] {
        options->serve.drawsSeeds = seed->count() == 0;
        return serveModel(*options);
    };
}

} // namespace roundpipe::cli
