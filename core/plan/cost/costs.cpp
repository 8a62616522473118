// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/costs.h"

#include "base/error.h"
#include "geometry/weight_room.h"

#include <fmt/format.h>

#include <cmath>

namespace roundpipe::plan {
namespace {

void requireTime(double seconds, const char* what, std::size_t device, const geometry::LayerSizes& layer) {
    if (!std::isfinite(seconds) || seconds < 0)
        throw invalidInput(
            fmt::format("The {} time of '{}' on device {} is {}; it must be a number of seconds, at least 0.", what,
                        layer.name, device, seconds));
}

void requireBytes(int64_t bytes, const char* what, const std::string& of) {
    if (bytes < 0) throw invalidInput(fmt::format("The {} of {} must not be negative, but is {}.", what, of, bytes));
}

void checkSizes(const geometry::LayerSizes& layer) {
    const std::string of = fmt::format("'{}'", layer.name);
    requireBytes(layer.hostBase, "host bytes", of);
    requireBytes(layer.baseUp, "base bytes", of);
    requireBytes(layer.adapterUp, "adapter bytes", of);
    requireBytes(layer.weights, "weight bytes", of);
    requireBytes(layer.gradients, "gradient bytes", of);
    requireBytes(layer.gradientsDown, "downloaded gradient bytes", of);
    requireBytes(layer.saved, "saved bytes", of);
    requireBytes(layer.savedWithoutGateUp, "saved bytes without gate and up", of);
    requireBytes(layer.workspace, "workspace bytes", of);
    requireBytes(layer.trainedElements, "count of trained elements", of);
}

} // namespace

PassTimes passTimes(const LayerTimes& times, geometry::LayerSaving saving, bool makesOutput) {
    const double withoutOutput = times.recompute - times.output;
    PassTimes pass{makesOutput ? times.recompute : withoutOutput, times.backward};
    if (saving.what == geometry::Saving::kWithoutGateUp) {
        pass.forward = makesOutput ? times.recompute : withoutOutput - times.gateUp;
        pass.backward += times.gateUp;
    } else if (saving.what == geometry::Saving::kInput) {
        pass.forward = makesOutput ? times.forward : 0;
        pass.backward += withoutOutput;
    }
    if (saving.onHost) pass.forward = 0; // the forward stage has done it
    return pass;
}

double forwardSeconds(const LayerTimes& times, geometry::LayerSaving saving) {
    const bool saves = saving.onHost && saving.what != geometry::Saving::kInput;
    return saves ? times.recompute : times.forward;
}

double unpackedShare(std::span<const LayerTimes> times, StageKind kind, LayerRange layers) {
    int64_t packed = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        if (times[static_cast<std::size_t>(l)].unpack > 0) ++packed;
    const int64_t areas = geometry::numAssembled(packed);
    if (packed <= areas) return 0;
    const int64_t kept = kind == StageKind::kForward ? 0 : areas;
    return static_cast<double>(packed - kept) / static_cast<double>(packed);
}

double stageSeconds(const Costs& costs, StageKind kind, LayerRange layers, DeviceId device,
                    std::span<const geometry::LayerSaving> saving) {
    double seconds = 0;
    const double unpacked =
        (kind == StageKind::kForward ? 1 : 2) * unpackedShare(costs.times[device.index()], kind, layers);
    for (int32_t l = layers.begin; l < layers.end; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const LayerTimes& times = costs.times[device.index()][i];
        seconds += unpacked * times.unpack;
        const geometry::LayerSaving saved = saving.empty() ? geometry::LayerSaving() : saving[i];
        if (kind == StageKind::kForward) {
            seconds += forwardSeconds(times, saved);
        } else if (l >= costs.firstTrainable) {
            const PassTimes pass = passTimes(times, saved, makesOutput(kind, layers, l, saving));
            seconds += pass.forward + pass.backward;
        } else if (kind == StageKind::kFused) {
            seconds += times.recompute;
        }
    }
    return seconds;
}

void validate(const Costs& costs) {
    if (costs.layers.empty()) throw invalidInput("The costs name no layer.");
    if (costs.times.empty()) throw invalidInput("The costs name no device.");
    for (const geometry::LayerSizes& layer : costs.layers)
        checkSizes(layer);
    for (std::size_t d = 0; d < costs.times.size(); ++d) {
        if (costs.times[d].size() != costs.layers.size())
            throw invalidInput(fmt::format("Device {} has times of {} layers, but there are {}.", d,
                                           costs.times[d].size(), costs.layers.size()));
        for (std::size_t l = 0; l < costs.layers.size(); ++l) {
            const LayerTimes& times = costs.times[d][l];
            requireTime(times.forward, "forward", d, costs.layers[l]);
            requireTime(times.recompute, "recompute", d, costs.layers[l]);
            requireTime(times.backward, "backward", d, costs.layers[l]);
            requireTime(times.output, "output", d, costs.layers[l]);
            requireTime(times.gateUp, "gate and up", d, costs.layers[l]);
            requireTime(times.unpack, "unpacking", d, costs.layers[l]);
        }
    }
    if (!costs.contextBytes.empty() && costs.contextBytes.size() != costs.times.size())
        throw invalidInput(fmt::format("The costs name the context of {} devices, but there are {}.",
                                       costs.contextBytes.size(), costs.times.size()));
    if (costs.firstTrainable < 0 || costs.firstTrainable > costs.numLayers())
        throw invalidInput(fmt::format("The first trainable layer is {}, but there are {} layers.",
                                       costs.firstTrainable, costs.numLayers()));
    requireBytes(costs.tokens, "tokens", "a microbatch");
    requireBytes(costs.packetBytes, "packet bytes", "a microbatch");
    requireBytes(costs.batchBytes, "batch bytes", "a microbatch");
    for (const int64_t bytes : costs.contextBytes)
        requireBytes(bytes, "context bytes", "a device");
    for (const std::vector<double>* times : {&costs.updateSeconds, &costs.addSeconds, &costs.normSeconds}) {
        if (times->size() != costs.layers.size())
            throw invalidInput(fmt::format("The costs have times of the optimizer for {} layers, but there are {}.",
                                           times->size(), costs.layers.size()));
        for (const double seconds : *times)
            if (!std::isfinite(seconds) || seconds < 0)
                throw invalidInput(
                    fmt::format("The optimizer's time is {}; it must be a number of seconds, at least 0.", seconds));
    }
    requireBytes(costs.hostBytes, "bytes", "the host");
    requireBytes(costs.gradientSumBytes, "bytes of gradient sums", "the host");
    requireBytes(costs.hostPinnedBytes, "pinned bytes", "the host");
    requireBytes(costs.diskBytes, "bytes", "the disk");
}

} // namespace roundpipe::plan
