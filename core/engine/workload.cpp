// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workload.h"

#include "artifact/adapter.h"
#include "artifact/adapter_config.h"
#include "base/error.h"
#include "base/thread_team.h"
#include "base/units.h"
#include "model/init.h"
#include "transfer/load_checkpoint.h"
#include "transfer/random_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;

bool onGpusOnly(const std::vector<std::unique_ptr<device::Device>>& devices) {
    return std::ranges::all_of(devices, [](const auto& device) { return device->kind() == device::DeviceKind::kCuda; });
}

session::RunSpec resolved(session::RunSpec spec, bool goesOn) {
    if (spec.data.templateDate.empty()) {
        const text::CivilTime now = text::localTimeNow();
        spec.data.templateDate = fmt::format("{:04}-{:02}-{:02}", now.year, now.month, now.day);
    }
    const bool isGone = goesOn && !std::filesystem::exists(spec.lora.initFrom);
    if (!spec.lora.initFrom.empty() && !isGone) {
        const arch::LoraConfig adapter = artifact::readAdapterConfig(spec.lora.initFrom);
        spec.lora.rank = adapter.rank;
        spec.lora.alpha = adapter.alpha;
        spec.lora.rsLora = adapter.rsLora;
        spec.lora.targets = adapter.targets;
        spec.lora.modulesToSave = adapter.modulesToSave;
    }
    return spec;
}

data::Dataset loadDataset(const session::RunSpec& spec, const ModelText& text, const Report& report) {
    return data::Dataset::load(
        data::datasetsOf(spec), text.tokenizer, text.chatTemplate, [&](const data::LoadProgress& progress) {
            if (progress.numRows == 0) return report(Activity(ActivityCode::kLookingForRows));
            return report(Activity(
                ActivityCode::kRowsRead, progress.numRows, fmt::format("{:.0f}", 100 * progress.fraction),
                fmt::format("{:.0f}", progress.rowsPerSecond), formatDuration(progress.remainingSeconds.value_or(0))));
        });
}

session::RunLengths lengthsOf(const data::Dataset& dataset) {
    return {std::make_shared<const batch::ExampleLengths>(dataset.training().lengths()),
            std::make_shared<const batch::ExampleLengths>(dataset.validation().lengths())};
}

namespace {

void fillRandomly(transfer::HostWeightStore& store, uint64_t seed, const Report& report) {
    const auto bytesOf = [](const transfer::HostTensor& tensor) {
        return tensor.rows * tensor.cols * static_cast<int64_t>(sizeOf(tensor.place->dtype));
    };
    int64_t all = 0;
    for (const transfer::HostTensor& tensor : store.tensors())
        all += bytesOf(tensor);
    std::mutex mutex; // guards `done`, and `report` is called by one thread at a time
    int64_t done = 0;
    forEachIndex(std::ssize(store.tensors()), 0, [&](int64_t i) {
        const transfer::HostTensor& tensor = store.tensors()[static_cast<std::size_t>(i)];
        transfer::fillRandomly(tensor, seed);
        store.filled(tensor, tensor.rows);
        const std::scoped_lock lock(mutex);
        done += bytesOf(tensor);
        if (!report(Activity(ActivityCode::kMakingWeights, formatBytes(done), formatBytes(all))))
            throw Error(ErrorKind::kCancelled, "The run was stopped while it made its weights.");
    });
}

void initAdapters(transfer::HostWeightStore& store, uint64_t seed) {
    transfer::AdapterBlocks& adapters = store.adapters();
    for (const geometry::LayerLayout& layout : store.layouts()) {
        std::byte* masters = adapters.masters(layout.spec.id).data();
        if (layout.adapter.empty()) continue;
        if (adapters.masterType() == DType::kF64)
            model::initAdapter(layout, seed, reinterpret_cast<double*>(masters));
        else
            model::initAdapter(layout, seed, reinterpret_cast<float*>(masters));
    }
}

} // namespace

void fillStore(transfer::HostWeightStore& store, const session::RunSpec& spec, const runs::ModelFiles& model,
               bool goesOn, const Report& report) {
    if (spec.model.randomWeights)
        fillRandomly(store, static_cast<uint64_t>(spec.seed), report);
    else
        transfer::loadCheckpoint(store, arch::Checkpoint::open(model.folder), [&](int64_t done, int64_t all) {
            return report(Activity(ActivityCode::kReadingWeights, formatBytes(done), formatBytes(all)));
        });
    if (spec.lora.initFrom.empty() || goesOn) {
        initAdapters(store, static_cast<uint64_t>(spec.seed));
    } else {
        artifact::AdapterSpans<std::byte> masters{store.adapters().masterType(), {}};
        for (const geometry::LayerLayout& layout : store.layouts())
            masters.layers.push_back(store.adapters().masters(layout.spec.id));
        artifact::readAdapterWeights(spec.lora.initFrom, store.layouts(), masters);
    }
    store.adapters().publishAll();
}

} // namespace roundpipe::engine
