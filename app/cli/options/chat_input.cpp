// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/chat_input.h"

#include "arch/model_config.h"
#include "base/error.h"
#include "hub/fetch_names.h"
#include "options/choice_option.h"
#include "options/weighted_folder.h"

#include <algorithm>
#include <filesystem>

namespace roundpipe::cli {

namespace fs = std::filesystem;

void ChatInput::addTo(CLI::App& app, int64_t contextTokens) {
    m_setup.contextTokens = contextTokens;
    app.add_option("--model", m_setup.model, "Model folder, or hf:OWNER/NAME.")->required();
    app.add_option(
           "--adapter", m_adapters,
           "Adapter folder, as PEFT or a run writes it: [NAME=]DIR[,weight=W]. May be repeated; several add up.")
        ->check([](const std::string& word) {
            try {
                parse(word);
                return std::string();
            } catch (const Error& error) {
                return error.message() + " " + error.advice();
            }
        });
    app.add_option("--strength", m_strength, "A factor on what the adapters add; 0: the base model. (1)")
        ->check(CLI::Range(-100.0, 100.0));
    app.add_option("--chat-template", m_setup.chatTemplate,
                   "Template file that replaces the adapter's own, or the model folder's.");
    app.add_option("--chat-template-args", m_setup.chatTemplateArgs, "JSON object of extra template variables.");
    app.add_option("--device", m_setup.device, "auto, cpu, cuda:0, …");
    addChoice(app, "--precision", m_setup.precision, "Type of weights and activations.");
    m_context = app.add_option("--context", m_setup.contextTokens,
                               "Room for a conversation with its answer, in tokens; 0: as each question needs. (" +
                                   std::to_string(contextTokens) + "; of longrope its original length at most)");
    m_context->check(CLI::Range(0, 1 << 24));
}

session::ChatSetup ChatInput::setup() const {
    session::ChatSetup setup = m_setup;
    setup.model = fetchedModel(setup.model);
    if (m_context->count() == 0 && setup.contextTokens > 0)
        setup.contextTokens = session::usualChatTokens(arch::readModelConfig(setup.model), setup.contextTokens);
    for (const std::string& word : m_adapters)
        setup.adapters.push_back(parse(word).adapter);
    return setup;
}

std::string ChatInput::modelName() const {
    return m_setup.model.starts_with("hf:") ? m_setup.model.substr(3) : session::nameOfFolder(m_setup.model);
}

std::vector<session::AdapterWeight> ChatInput::adapters() const {
    std::vector<session::AdapterWeight> adapters;
    for (const std::string& word : m_adapters) {
        const AdapterWord given = parse(word);
        adapters.push_back({given.adapter.name, given.weight});
    }
    return adapters;
}

std::vector<session::AdapterWeight> ChatInput::weights() const {
    std::vector<session::AdapterWeight> weights = adapters();
    for (session::AdapterWeight& adapter : weights)
        adapter.weight *= m_strength;
    return weights;
}

ChatInput::AdapterWord ChatInput::parse(const std::string& word) {
    const WeightedFolder weighted = weightedFolderOf(word);
    AdapterWord result{{{}, weighted.folder}, weighted.weight};
    std::string& folder = result.adapter.folder;
    const std::size_t equals = folder.find('=');
    if (std::error_code none; equals != std::string::npos && equals > 0 && !fs::exists(folder, none)) {
        result.adapter.name = folder.substr(0, equals);
        folder.erase(0, equals + 1);
    }
    if (folder.empty()) throw invalidInput("'" + word + "' names no folder.", "Write [NAME=]DIR[,weight=W].");
    if (result.adapter.name.empty()) result.adapter.name = session::nameOfFolder(folder);
    return result;
}

} // namespace roundpipe::cli
