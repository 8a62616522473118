// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that let a model answer are told of it: folder, adapters and how much of each, template, device.
#pragma once

#include "session/chat.h"
#include "session/chat_memory.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::cli {

// The object must outlive the application that it was added to.
class ChatInput {
public:
    static constexpr int64_t kContextTokens = session::kUsualChatTokens;

    // `contextTokens`: the default of --context.
    void addTo(CLI::App& app, int64_t contextTokens);
    // A name of the Hub has become its folder. Throws kInvalidInput naming the option.
    session::ChatSetup setup() const;
    std::string modelName() const;                        // its folder's, or that of the Hub
    std::vector<session::AdapterWeight> adapters() const; // in their order, with the weight that stands behind each
    double strength() const { return m_strength; }
    std::vector<session::AdapterWeight> weights() const; // each times the strength

private:
    struct AdapterWord {
        session::ChatAdapter adapter;
        double weight = 1;
    };
    static AdapterWord parse(const std::string& word);

    session::ChatSetup m_setup;
    CLI::Option* m_context = nullptr;    // of the App
    std::vector<std::string> m_adapters; // as they were given
    double m_strength = 1;
};

} // namespace roundpipe::cli
