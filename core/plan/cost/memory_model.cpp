#include "plan/cost/memory_model.h"

#include "plan/cost/layer_sizes.h"
#include "plan/program.h"

#include <algorithm>
#include <map>
#include <utility>

namespace roundpipe::plan {
namespace {

constexpr int64_t kWeightRegions = 2;
constexpr int64_t kGradientRegions = 2;
constexpr int64_t kPacketBuffers = 2 + 2 + 3; // inputs, output gradients, outgoing
constexpr int64_t kScratchGradients = 2;

// Sums over one stage's layers.
struct StageSums {
    int64_t weights = 0;
    int64_t gradients = 0;
    int64_t savedBlocks = 0;
};

StageSums sumsOf(const Slot& slot, const Costs& costs) {
    StageSums sums;
    for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
        const LayerSizes& layer = costs.layers[static_cast<std::size_t>(l)];
        sums.weights += layer.weights;
        sums.gradients += layer.gradients;
        sums.savedBlocks += layer.isBlock ? 1 : 0;
    }
    return sums;
}

// Where a kind of packet of one round is first posted and last read, in slots of the program.
struct Lifetime {
    int32_t posted = -1;
    int32_t lastRead = -1;
};

// Packets of one microbatch: the inputs of stages, and the gradients of them.
std::vector<Lifetime> lifetimesOf(const std::vector<Slot>& slots, int32_t firstTrainable) {
    std::map<std::pair<int32_t, int32_t>, Lifetime> inputs, gradients; // by round and layer
    const auto numSlots = static_cast<int32_t>(slots.size());
    for (int32_t s = 0; s < numSlots; ++s) {
        const Slot& slot = slots[static_cast<std::size_t>(s)];
        if (slot.layers.begin > 0) inputs[{slot.round, slot.layers.begin}].lastRead = s;
        if (slot.work == Work::kBackward) gradients[{slot.round, slot.layers.end}].lastRead = s;
    }
    for (int32_t s = 0; s < numSlots; ++s) {
        const Slot& slot = slots[static_cast<std::size_t>(s)];
        for (auto& [key, life] : inputs)
            if (key.first == slot.round && slot.work != Work::kBackward && key.second > slot.layers.begin &&
                key.second <= slot.layers.end && life.posted < 0)
                life.posted = s;
        if (auto found = gradients.find({slot.round, slot.layers.begin});
            found != gradients.end() && slot.layers.begin > firstTrainable)
            found->second.posted = s;
    }
    std::vector<Lifetime> lifetimes;
    for (const auto* packets : {&inputs, &gradients})
        for (const auto& [key, life] : *packets)
            if (life.posted >= 0) lifetimes.push_back(life);
    return lifetimes;
}

// On one device slots are issued in order: while a slot works on microbatch m, packets that it reads for the last time
// are gone up to m, those that it posts are there up to m.
int64_t mostInOrder(const std::vector<Lifetime>& lifetimes, int32_t numSlots, int64_t microbatches) {
    int64_t most = 0;
    for (int32_t s = 0; s < numSlots; ++s) {
        int64_t kept = 0, taken = 0, given = 0;
        for (const Lifetime& life : lifetimes) {
            kept += life.posted < s && life.lastRead > s ? microbatches : 0;
            taken += life.posted < s && life.lastRead == s ? 1 : 0;
            given += life.posted == s ? 1 : 0;
        }
        // Linear in m, so largest at one end.
        for (const int64_t m : {int64_t{1}, microbatches})
            most = std::max(most, kept + taken * (microbatches - m) + given * m);
        most = std::max(most, kept + taken * microbatches);
    }
    return most;
}

// On several, any slot from s to s + devices - 1 may have posted before slot s has read.
int64_t mostOverlapped(const std::vector<Lifetime>& lifetimes, int32_t numSlots, int64_t microbatches,
                       int32_t numDevices) {
    int64_t most = 0;
    for (int32_t s = 0; s < numSlots; ++s)
        most = std::max(most, microbatches * std::ranges::count_if(lifetimes, [&](const Lifetime& life) {
                                  return life.posted < s + numDevices && life.lastRead >= s;
                              }));
    return most;
}

} // namespace

int64_t engineDeviceBytes(const Plan& plan, const Costs& costs, int32_t microbatchesPerStep) {
    StageSums most;
    int64_t mostLayers = 2;
    for (const Slot& slot : trainingProgram(plan, costs.firstTrainable, 1, 1, 0).slots) {
        const StageSums sums = sumsOf(slot, costs);
        most.weights = std::max(most.weights, sums.weights);
        if (slot.work == Work::kForward) continue;
        most.gradients = std::max(most.gradients, sums.gradients);
        most.savedBlocks = std::max(most.savedBlocks, sums.savedBlocks);
        mostLayers = std::max<int64_t>(mostLayers, slot.layers.size());
    }
    int64_t saved = 0, workspace = 0;
    for (const LayerSizes& layer : costs.layers) {
        saved = std::max(saved, layer.saved);
        workspace = std::max(workspace, layer.workspace);
    }
    const int64_t packet = aligned(costs.packetBytes);
    const int64_t batches = aligned(microbatchesPerStep * costs.batchBytes) +
                            aligned(microbatchesPerStep * static_cast<int64_t>(sizeof(double))); // and losses
    return kWeightRegions * most.weights + kGradientRegions * most.gradients +
           (kPacketBuffers + kScratchGradients + mostLayers) * packet + most.savedBlocks * aligned(saved) +
           aligned(workspace) + batches;
}

int64_t mostHostPackets(const Plan& plan, const Costs& costs, int32_t microbatches, int32_t rounds) {
    const std::vector<Slot> slots =
        trainingProgram(plan, costs.firstTrainable, rounds, 1, 0).slots; // of one microbatch a round
    const std::vector<Lifetime> lifetimes = lifetimesOf(slots, costs.firstTrainable);
    int32_t numDevices = 1;
    for (const DeviceId device : plan.deviceTable)
        numDevices = std::max(numDevices, device.value + 1);
    const auto numSlots = static_cast<int32_t>(slots.size());
    return numDevices == 1 ? mostInOrder(lifetimes, numSlots, microbatches)
                           : mostOverlapped(lifetimes, numSlots, microbatches, numDevices);
}

int64_t hostPacketBytes(const Plan& plan, const Costs& costs, int32_t microbatches, int32_t rounds) {
    return mostHostPackets(plan, costs, microbatches, rounds) * aligned(costs.packetBytes);
}

} // namespace roundpipe::plan
