// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/cost_model.h"

#include "base/error.h"
#include "geometry/host_bytes.h"
#include "plan/cost/device_rates.h"
#include "plan/cost/layer_kinds.h"
#include "plan/cost/layer_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace roundpipe::plan {
namespace {

constexpr int64_t kMaxTokens = int64_t{1} << 31; // of a microbatch
// What an update moves of the host's memory, in bytes a second: what copies move there, up to the 106 to 117 measured
// on servers' processors with 15 and 16 threads (tests/bench/RESULTS.md: 110 where `plan --rig this` measures 99.5).
constexpr double kUpdateBytesPerSecond = 110e9;
// Beside a step it has half of the threads, and the step's copies want the memory, too: 76 where copies move 88.
constexpr double kBesideSteps = 1.2;

void fillOptimizerSeconds(Costs& costs, const HostSpec& host) {
    const double memory = host.memoryBytesPerSecond;
    const double rate = memory > 0 ? std::min(kUpdateBytesPerSecond, memory) : kUpdateBytesPerSecond;
    const auto secondsOf = [&](int64_t bytes) { return static_cast<double>(bytes) / rate; };
    for (const geometry::LayerSizes& layer : costs.layers) {
        costs.updateSeconds.push_back(secondsOf(geometry::updateBytes(layer)));
        costs.addSeconds.push_back(secondsOf(geometry::sumBytes(layer)));
        costs.normSeconds.push_back(secondsOf(geometry::normBytes(layer)));
    }
    costs.besideSteps = kBesideSteps;
}

// Of layers of one kind once.
struct ModelWork {
    std::vector<LayerWork> kinds;
    std::vector<std::size_t> kindOf; // [layer]
};

ModelWork allWork(const arch::ModelSpec& model, const std::vector<arch::TrainedLayer>& parts,
                  const TrainingShape& shape, int32_t firstTrainable) {
    const std::vector<std::string> names = layerKinds(model, parts);
    ModelWork work;
    std::map<std::string_view, std::size_t> known;
    for (std::size_t l = 0; l < names.size(); ++l) {
        const auto [same, isNew] = known.emplace(names[l], work.kinds.size());
        work.kindOf.push_back(same->second);
        if (!isNew) continue;
        const auto layer = static_cast<int32_t>(l);
        work.kinds.push_back(layerWork(model, LayerId(layer), parts[l], shape, layer > firstTrainable));
    }
    return work;
}

std::vector<LayerTimes> timesOn(const DeviceSpec& device, const arch::ModelConfig& config, const ModelWork& work,
                                const TrainingShape& shape, int32_t firstTrainable) {
    const DeviceRates rates =
        ratesOf(device, shape.operandType, shape.deterministic, {config.numHeads, config.headDim, shape.maxLength});
    std::vector<LayerTimes> ofKinds;
    for (const LayerWork& kind : work.kinds) {
        LayerTimes& layer = ofKinds.emplace_back();
        layer.forward = layer.recompute = secondsOf(kind.forward, rates);
        layer.backward = secondsOf(kind.backward, rates);
        layer.output = secondsOf(kind.output, rates);
        layer.gateUp = secondsOf(kind.gateUp, rates);
        layer.unpack = secondsOf(kind.unpack, rates);
    }
    std::vector<LayerTimes> times;
    for (std::size_t l = 0; l < work.kindOf.size(); ++l) {
        const LayerTimes& layer = ofKinds[work.kindOf[l]];
        const bool isTrained = static_cast<int32_t>(l) >= firstTrainable;
        times.push_back(isTrained ? layer : LayerTimes{layer.forward, layer.recompute, 0, 0, 0, layer.unpack});
    }
    return times;
}

void require(bool holds, const char* field, const std::string& expected, double found) {
    if (!holds) throw invalidInput(fmt::format("The {} must be {}, but is {}.", field, expected, found));
}

} // namespace

void validate(const TrainingShape& shape) {
    const auto real = [](int64_t value) { return static_cast<double>(value); };
    require(shape.maxLength >= 1 && shape.maxLength <= kMaxTokens, "maximal length", "from 1 to 2^31 tokens",
            real(shape.maxLength));
    require(shape.sequences >= 1 && shape.sequences <= kMaxTokens / shape.maxLength, "number of sequences",
            "at least 1, and all together at most 2^31 tokens", real(shape.sequences));
    require(std::isfinite(shape.averageLength) && shape.averageLength >= 0 &&
                shape.averageLength <= real(shape.maxLength),
            "average length", "at most the maximal length", shape.averageLength);
    require(shape.tokenLimit == 0 ||
                (shape.tokenLimit >= shape.maxLength && shape.tokenLimit <= shape.maxLength * shape.sequences),
            "number of tokens of a microbatch", "that of a sequence at least, and of all sequences at most",
            real(shape.tokenLimit));
    require(std::isfinite(shape.averageSequences) && shape.averageSequences >= 0 &&
                shape.averageSequences <= real(shape.sequences),
            "average number of sequences", "at most that of the largest microbatch", shape.averageSequences);
    require(shape.trainedShare > 0 && shape.trainedShare <= 1, "share of trained positions", "above 0 and at most 1",
            shape.trainedShare);
    if (!isFloating(shape.operandType)) throw invalidInput("The operand type must be a floating type.");
    if (isPacked(shape.weights) && shape.trainsBase)
        throw invalidInput("No weights are frozen where all of them are trained, so none can travel in fewer bits.",
                           "Leave the weights whole, or train adapters (method lora).");
}

Costs modelCosts(const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig) {
    validate(shape);
    const std::vector<arch::TrainedLayer> parts = arch::trainedLayers(model, shape.trained());
    Costs costs;
    static_cast<geometry::ModelSizes&>(costs) = geometry::modelSizes(
        model, parts,
        {shape.trained(), shape.operandType, shape.weights, shape.maxTokens(), shape.sequences, shape.moments});
    costs.tokens = std::llround(shape.tokens());

    const ModelWork work = allWork(model, parts, shape, costs.firstTrainable);
    for (const DeviceSpec& device : rig.devices) {
        const auto same = std::ranges::find_if(rig.devices, [&](const DeviceSpec& other) {
            return other.name == device.name && other.isGpu == device.isGpu &&
                   other.matrixFlops == device.matrixFlops && other.memoryBytesPerSecond == device.memoryBytesPerSecond;
        });
        const auto index = static_cast<std::size_t>(same - rig.devices.begin());
        costs.times.push_back(index < costs.times.size()
                                  ? costs.times[index]
                                  : timesOn(device, model.config, work, shape, costs.firstTrainable));
        costs.contextBytes.push_back(contextBytes(device, model.config, shape));
    }

    const geometry::HostBytes host = geometry::hostBytes(costs.layers);
    const bool anyGpu = std::ranges::any_of(rig.devices, [](const DeviceSpec& device) { return device.isGpu; });
    costs.hostBytes = host.total();
    costs.gradientSumBytes = host.gradientSums;
    costs.hostPinnedBytes = anyGpu ? host.readByDevices() : 0;
    costs.diskBytes = 2 * host.checkpoint + host.adapterFile; // last, best, and the adapter
    fillOptimizerSeconds(costs, rig.host);
    return costs;
}

} // namespace roundpipe::plan
