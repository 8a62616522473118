// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include "base/error.h"
#include "plan/plan_outline.h"

#include <algorithm>
#include <functional>

namespace roundpipe::plan {

const char* toString(StageKind kind) {
    switch (kind) {
    case StageKind::kForward:
        return "forward";
    case StageKind::kFused:
        return "fused";
    case StageKind::kBackward:
        return "backward";
    }
    return "";
}

std::vector<Stage> Plan::stages() const {
    std::vector<Stage> all;
    all.reserve(static_cast<std::size_t>(numStages()));
    const auto append = [&](StageKind kind, LayerRange layers) {
        all.push_back({StageId(static_cast<int32_t>(all.size())), kind, layers});
    };
    for (const LayerRange& range : forward)
        append(StageKind::kForward, range);
    append(StageKind::kFused, fused);
    for (const LayerRange& range : backward)
        append(StageKind::kBackward, range);
    return all;
}

DeviceId Plan::deviceOf(int64_t slot) const {
    RP_CHECK(!deviceTable.empty() && slot >= 0);
    return deviceTable[static_cast<std::size_t>(slot) % deviceTable.size()];
}

bool Plan::roundsStay() const {
    return replicas > 1 || std::ranges::adjacent_find(deviceTable, std::not_equal_to()) == deviceTable.end();
}

int32_t Plan::firstOnHost(LayerRange layers) const {
    int32_t first = layers.end;
    while (first > layers.begin && isOnHost(first - 1))
        --first;
    return first;
}

bool makesOutput(StageKind kind, LayerRange layers, int32_t layer, std::span<const geometry::LayerSaving> saving) {
    if (kind == StageKind::kFused) return true;
    if (layer + 1 == layers.end) return false;
    return saving.empty() || !saving[static_cast<std::size_t>(layer) + 1].onHost;
}

std::string Plan::describe() const {
    return outlineOf(*this).text();
}

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw invalidInput(
        "The partition is wrong: " + what + ".",
        "Forward stages and the fused stage must cover every layer once, in order; so must the fused and "
        "backward stages, from the head down.");
}

// What a backward stage finds in host memory a forward stage has saved.
void checkOnHost(const Plan& plan, int32_t firstTrainable) {
    std::vector<bool> isTaken(static_cast<std::size_t>(plan.numLayers));
    for (const LayerRange& stage : plan.backward)
        for (int32_t l = plan.firstOnHost(stage); l < stage.end; ++l)
            isTaken[static_cast<std::size_t>(l)] = l >= firstTrainable && l > 0;
    for (int32_t l = 0; l < plan.numLayers; ++l)
        if (plan.isOnHost(l) && !isTaken[static_cast<std::size_t>(l)])
            throw invalidInput(
                "Layer " + std::to_string(l) + " cannot be saved in host memory.",
                "Only the deepest blocks of a backward stage can, as a forward stage saves them there; the fused stage "
                "needs what it saves at once, on the device.");
}

} // namespace

void validate(const Plan& plan, int32_t firstTrainableLayer) {
    int32_t next = 0;
    for (std::size_t i = 0; i < plan.forward.size(); ++i) {
        if (plan.forward[i].begin != next || plan.forward[i].size() < 1)
            refuse("forward stage " + std::to_string(i) + " should begin at layer " + std::to_string(next));
        next = plan.forward[i].end;
    }
    if (plan.fused.begin != next || plan.fused.size() < 1 || plan.fused.end != plan.numLayers)
        refuse("the fused stage should reach from layer " + std::to_string(next) + " to the head");
    int32_t top = plan.fused.begin;
    for (std::size_t i = 0; i < plan.backward.size(); ++i) {
        if (plan.backward[i].end != top || plan.backward[i].size() < 1)
            refuse("backward stage " + std::to_string(i) + " should end at layer " + std::to_string(top));
        top = plan.backward[i].begin;
    }
    if (top > firstTrainableLayer) refuse("layer " + std::to_string(top - 1) + " has no backward stage");
    if (plan.deviceTable.empty()) refuse("no device takes its slots");
    for (const DeviceId device : plan.deviceTable)
        if (!plan.resident.empty() &&
            (device.index() >= plan.resident.size() ||
             plan.resident[device.index()].size() != static_cast<std::size_t>(plan.numLayers)))
            refuse("it does not say of each layer whether it stays on device " + std::to_string(device.value));
    if (!plan.saving.empty() && plan.saving.size() != static_cast<std::size_t>(plan.numLayers))
        refuse("it does not say of each layer what is saved");
    checkOnHost(plan, firstTrainableLayer);
    if (plan.replicas < 1) refuse("it has no replica");
    if (plan.replicas > 1 &&
        (!plan.tableRestarts || plan.deviceTable.size() != static_cast<std::size_t>(plan.replicas)))
        refuse("each replica should be on a device of its own");
    if (plan.keepsPackets && !plan.roundsStay()) refuse("packets can stay only where all of a round is on one device");
    if (plan.prefetchDepth < 0) refuse("less than no layer can be uploaded ahead");
}

} // namespace roundpipe::plan
