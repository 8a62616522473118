// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/loaded_model.h"

#include "arch/checkpoint.h"
#include "artifact/base_fingerprint.h"
#include "base/error.h"
#include "base/units.h"
#include "device/open_devices.h"
#include "engine/chat/gguf_weights.h"
#include "transfer/load_checkpoint.h"

#include <utility>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;

namespace {

text::Tokenizer tokenizerOf(const std::string& modelFolder) {
    arch::readModelConfig(modelFolder); // which says so where there is no such folder
    return text::Tokenizer::open(modelFolder);
}

} // namespace

LoadedModel::LoadedModel(session::ChatSetup setup, const std::function<bool(const Activity&)>& onActivity,
                         const std::string& gguf)
    : m_setup(std::move(setup))
    , m_tokenizer(tokenizerOf(m_setup.model))
    , m_templates(m_setup.adapters.size() + 1)
    , m_weights(m_setup.adapters.size(), 1) {
    const arch::ModelSpec spec =
        gguf.empty() ? arch::makeModelSpec(arch::readModelConfig(m_setup.model)) : specOfGguf(gguf, m_setup.model);
    m_devices = device::openDevices({m_setup.device}, {});
    m_devices.resize(1); // "auto" may name several GPUs; one answers
    const DType operandType = operandTypeOf(m_setup.precision, device().kind() == device::DeviceKind::kCuda);
    m_adapters = std::make_unique<AdapterMix>(spec, m_setup.adapters, operandType);
    if (gguf.empty())
        for (const session::ChatAdapter& adapter : m_setup.adapters)
            artifact::requireBase(adapter.folder, m_setup.model);
    m_model = model::makeModel(spec, m_adapters->lora(), operandType);
    m_store = std::make_unique<transfer::HostWeightStore>(m_model->layouts, operandType, device().pinnedHost());
    if (gguf.empty())
        transfer::loadCheckpoint(*m_store, arch::Checkpoint::open(m_setup.model), [&](int64_t done, int64_t all) {
            return !onActivity ||
                   onActivity(Activity(ActivityCode::kReadingWeights, formatBytes(done), formatBytes(all)));
        });
    else
        fillFromGguf(*m_store, gguf, spec);
    m_adapters->noteBase(m_store->adapters());
    m_adapters->publish(*m_store, m_weights);
}

LoadedModel::~LoadedModel() = default;

const text::ChatTemplate& LoadedModel::chatTemplate(std::optional<std::size_t> adapter) {
    const std::scoped_lock lock(m_opening);
    if (!m_setup.chatTemplate.empty()) adapter.reset();
    if (adapter) {
        auto& own = m_templates[*adapter];
        if (!own)
            own = std::make_unique<text::ChatTemplate>(
                text::ChatTemplate::fromModelFolder(m_setup.adapters[*adapter].folder));
        if (!own->source(false).empty()) return *own;
    }
    auto& ofModel = m_templates.back();
    if (!ofModel)
        ofModel = std::make_unique<text::ChatTemplate>(
            text::ChatTemplate::fromModelFolder(m_setup.model, m_setup.chatTemplate));
    return *ofModel;
}

void LoadedModel::use(const std::vector<double>& weights) {
    if (weights == m_weights) return;
    device().drain(); // a layer may be on its way that a later answer would begin with
    m_adapters->publish(*m_store, weights);
    m_weights = weights;
}

} // namespace roundpipe::engine
