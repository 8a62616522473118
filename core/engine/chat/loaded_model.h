// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is loaded to answer: folder, tokenizer, weights and adapters, on one device.
#pragma once

#include "device/device.h"
#include "engine/chat/adapter_mix.h"
#include "engine/chat/model_text.h"
#include "model/model.h"
#include "session/activity.h"
#include "session/chat.h"
#include "transfer/host_weight_store.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::engine {

class LoadedModel {
public:
    // `onActivity` says what is being done; false cancels. Each adapter counts whole at first. `gguf`: weights from
    // this file, as an export writes it; empty: the folder's.
    explicit LoadedModel(session::ChatSetup setup, const std::function<bool(const session::Activity&)>& onActivity = {},
                         const std::string& gguf = {});
    ~LoadedModel();

    const session::ChatSetup& setup() const { return m_setup; }
    const text::Tokenizer& tokenizer() const { return m_tokenizer; }
    const model::Model& model() const { return *m_model; }
    const transfer::HostWeightStore& store() const { return *m_store; }
    device::Device& device() { return *m_devices.front(); }

    // The template that the setup names, else the one beside the adapter (by its place in the setup; nothing: none),
    // which it was trained by and may not be the model's, else the model folder's. Opened when it is first asked for.
    // Any thread.
    const text::ChatTemplate& chatTemplate(std::optional<std::size_t> adapter);
    // How much of each adapter is in use from now on. While nothing decodes.
    void use(const std::vector<double>& weights);

private:
    session::ChatSetup m_setup;
    text::Tokenizer m_tokenizer;
    std::mutex m_opening;                                               // guards the templates
    std::vector<std::unique_ptr<const text::ChatTemplate>> m_templates; // by adapter, the model's behind them
    std::unique_ptr<AdapterMix> m_adapters;
    std::vector<double> m_weights;
    std::unique_ptr<const model::Model> m_model;
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::unique_ptr<transfer::HostWeightStore> m_store;
};

} // namespace roundpipe::engine
