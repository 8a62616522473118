// A trace record: one slice of work on one lane of the timeline. The engine, the simulator, the views and the exports
// share it.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::trace {

enum class Kind : uint8_t {
    kForward,            // compute: a stage's forward of one microbatch
    kRecompute,          // compute: forward again, keeping what backward needs
    kBackward,           // compute
    kFused,              // compute: forward, loss and backward of the deepest layers
    kEvaluate,           // compute: forward of a validation microbatch
    kUploadWeights,      // host to device: a layer's base
    kUploadAdapter,      // host to device: a layer's trained parameters
    kUploadActivation,   // host to device: a packet, or the gradient of one
    kDownloadActivation, // device to host
    kDownloadGradient,   // device to host: a layer's gradients
    kOptimizer,          // host: the update of one layer
    kWait,               // host: a controller waits (for a packet, an update, a slot)
    kStep,               // marker: one optimizer step, from first dispatch to last update
};
inline constexpr int kNumKinds = static_cast<int>(Kind::kStep) + 1;
const char* toString(Kind kind); // "forward", …: stable, used in exports

// 64 bytes. Times are nanoseconds of base/units.h steadyNowNs(), or simulated ones. Ids are -1 where they don't apply.
struct Record {
    int64_t startNs = 0;
    int64_t endNs = 0;
    int64_t queuedNs = 0; // when it was issued; startNs - queuedNs is the time it waited
    int64_t bytes = 0;    // moved, 0 for compute
    LaneId lane;
    int32_t step = -1;
    StageId stage;
    MicrobatchId microbatch;
    LayerId layer;
    int32_t slot = -1; // position in the step's dispatch program
    Kind kind = Kind::kForward;
    uint8_t reserved[7] = {};
};
static_assert(sizeof(Record) == 64);

// What a lane shows, for the timeline's header column and the exports' process and thread names.
enum class LaneRole : uint8_t {
    kCompute,
    kWeightsUp,
    kActivationsUp,
    kActivationsDown,
    kGradientsDown,
    kOptimizer,
    kSession
};
struct Lane {
    LaneId id;
    DeviceId device; // -1: the host
    LaneRole role = LaneRole::kCompute;
    std::string name; // "GPU 0 compute"
};

// The lanes of a run over `deviceNames`: five per device in the order of LaneRole, then optimizer and session.
std::vector<Lane> makeLanes(const std::vector<std::string>& deviceNames);
LaneId laneOf(DeviceId device, LaneRole role);  // lane of a device in makeLanes' order
LaneId hostLane(int numDevices, LaneRole role); // kOptimizer or kSession

} // namespace roundpipe::trace
