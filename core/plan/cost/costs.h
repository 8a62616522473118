// SPDX-License-Identifier: GPL-3.0-or-later
// What a model costs on a rig, layer by layer: the planner's and the simulator's only view of model and devices.
#pragma once

#include "geometry/layer_sizes.h"
#include "plan/plan.h"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace roundpipe::plan {

// Seconds of one microbatch on one device.
struct LayerTimes {
    double forward = 0;
    double recompute = 0; // a forward that keeps what backward needs
    double backward = 0;  // without the recompute
    double output = 0;    // of the recompute, what makes the layer's output alone
    double gateUp = 0;    // of the recompute, what Saving::kWithoutGateUp repeats
    double unpack = 0;    // beside all of these: to assemble a packed base, see unpackedShare()
};

// What every layer takes in bytes, and in seconds on each device.
struct Costs : geometry::ModelSizes {
    std::vector<std::vector<LayerTimes>> times; // [device][layer]
    int64_t tokens = 0;                         // of a microbatch
    std::vector<int64_t> contextBytes;          // [device]: driver, libraries and what they allocate beside our buffers
    std::vector<double> updateSeconds;          // [layer]: updating what is trained of it on the host, once a step
    std::vector<double> addSeconds;             // [layer]: adding a round's gradients to those of others there
    std::vector<double> normSeconds;            // [layer]: its part of the gradients' norm there, once a step
    double besideSteps = 1; // times as long is what the host does of it beside the next step, as where it is stale
    int64_t hostBytes = 0;  // weights, masters, moments and gradients on the host, whatever the plan
    int64_t gradientSumBytes = 0; // beside them, where a step has several rounds
    int64_t hostPinnedBytes = 0;  // of them, page-locked for the sake of GPUs
    int64_t diskBytes = 0;        // checkpoints and adapter that a run writes

    int32_t numDevices() const { return static_cast<int32_t>(times.size()); }
    double optimizerSeconds() const { return std::accumulate(updateSeconds.begin(), updateSeconds.end(), 0.0); }
};

// A layer's part of a stage that goes forth and back (a fused or backward stage).
struct PassTimes {
    double forward = 0;  // saves what backward needs, or makes the next layer's input alone
    double backward = 0; // with what is computed again for it
};
// A backward stage leaves out its last layer's output, which nobody reads; so that layer is never computed twice.
PassTimes passTimes(const LayerTimes& times, geometry::LayerSaving saving, bool makesOutput);
// Its part of a forward stage.
double forwardSeconds(const LayerTimes& times, geometry::LayerSaving saving);

// How much of its layers' LayerTimes::unpack a stage takes for each microbatch's forward pass, and again for its
// backward pass: nothing where all that are packed stay assembled from microbatch to microbatch; what is assembled once
// a turn is little beside all of them. On the way back the last ones are there yet. `times`: of a device,
// [layer].
double unpackedShare(std::span<const LayerTimes> times, StageKind kind, LayerRange layers);

// Of a microbatch in a stage of a plan; `saving`: the plan's. Below the first trained layer there is nothing to do
// backward.
double stageSeconds(const Costs& costs, StageKind kind, LayerRange layers, DeviceId device,
                    std::span<const geometry::LayerSaving> saving = {});

// Throws kInvalidInput naming the layer and the value when sizes or times are negative, unreal or of unequal counts.
void validate(const Costs& costs);

} // namespace roundpipe::plan
