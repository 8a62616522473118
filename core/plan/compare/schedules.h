// The schedules of the literature on equal devices, for comparison with ours. Times in one unit.
#pragma once

#include "plan/compare/simulator.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// A stack of equal layers and a head.
struct UniformModel {
    double layerForward = 0;
    double layerBackward = 0; // without recompute
    double headForward = 0;
    double headBackward = 0;
};

struct Workload {
    UniformModel model;
    int32_t numDevices = 1;
    int32_t numMicrobatches = 1; // in a step
    double hop = 0;
};

enum class BoundSchedule : uint8_t { kGpipe, k1f1b, kInterleaved1f1b, kLoopedBfs };

// What a stage takes for one microbatch.
struct BoundStage {
    double forward = 0;
    double recompute = 0; // before its backward; the last stage's too
    double backward = 0;
};

struct BoundPipeline {
    BoundSchedule schedule = BoundSchedule::kGpipe;
    std::vector<BoundStage> stages; // stage s on device s mod N; all but interleaved and looped need N of them
    int32_t numDevices = 1;
    int32_t numMicrobatches = 1;
    double hop = 0;
    bool recomputesEarly = false; // needn't wait for the gradient; published baselines wait
};
// Throws kInvalidInput when the stages do not fit the schedule.
Replay simulateBound(const BoundPipeline& pipeline);
// Stages of `stageLayers[s]` equal layers, the head with the last.
Replay simulateBound(BoundSchedule schedule, const Workload& workload, const std::vector<int32_t>& stageLayers,
                     bool recomputesEarly = false);

// How a round finds its first device.
enum class Rotation : uint8_t { kFirstFree, kFollowSlots };

struct RoundPipeOptions {
    int32_t roundSize = 0;          // microbatches of a round; 0: one per device
    int32_t numSteps = 1;           // one step stale: consecutive steps flow into each other
    bool headWaitsForInput = false; // published: only the head's backward waits
    Rotation rotation = Rotation::kFirstFree;
};

// Backward stage 0 is the fused one: the head and `backwardLayers[0]` layers (published: none), forward and backward.
// The others recompute. Forward stages hold the layers that are not fused. Throws kInvalidInput when the partitions
// disagree.
Replay simulateRoundPipe(const Workload& workload, const std::vector<int32_t>& forwardLayers,
                         const std::vector<int32_t>& backwardLayers, const RoundPipeOptions& options = {});

} // namespace roundpipe::plan
