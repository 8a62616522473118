// SPDX-License-Identifier: GPL-3.0-or-later
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
    kEvaluate,           // compute: forward of a validation microbatch. Session lane: a validation
    kAnswer,             // compute: a piece of a prompt, or one token of its answer. Session lane: an answer
    kUploadWeights,      // host to device: a layer's base
    kUploadAdapter,      // host to device: a layer's trained parameters
    kUploadActivation,   // host to device: a packet, or the gradient of one
    kDownloadActivation, // device to host
    kDownloadGradient,   // device to host: a layer's gradients
    kOptimizer,          // host: the update of one layer
    kWait,               // compute lane: the device has nothing that it may compute (idle.h); labels of what follows.
                         // Session lane: the run is paused
    kStep,               // marker: one optimizer step, from first dispatch to last update
    kMemory,             // counter: `bytes` are in use from here on; start and end are one instant
};
inline constexpr int kNumKinds = static_cast<int>(Kind::kMemory) + 1;
const char* toString(Kind kind); // "forward", …: stable, used in exports
bool isCompute(Kind kind);       // what keeps a device's compute lane busy
bool isWork(Kind kind);          // neither a wait nor a marker nor a counter

// What an idle device waited for last.
enum class IdleReason : uint8_t {
    kNone,     // the record is no wait
    kWeights,  // the upload of a layer's weights
    kPacket,   // hidden states or a gradient that another slot computes or a link still carries
    kUpdate,   // the optimizer: the new version of a layer, or the end of the step before
    kGradient, // room for gradients: earlier ones are still on their way to the host
    kHost,     // nothing that is recorded: the slot was issued late
    kPause,    // the user: the run is paused
};
inline constexpr int kNumIdleReasons = static_cast<int>(IdleReason::kPause) + 1;
const char* toString(IdleReason reason); // "weights", …: stable, used in exports

// 64 bytes. Times are nanoseconds of base/units.h steadyNowNs(), or simulated ones. Ids are -1 where they don't apply.
struct Record {
    int64_t startNs = 0;
    int64_t endNs = 0;
    int64_t queuedNs = 0; // when it was issued; startNs - queuedNs is the time it waited
    int64_t bytes = 0;    // moved, or in use; 0 for compute
    LaneId lane;
    int32_t step = -1; // optimizer step, counted from 0; -2 and below: each a program of a validation; -1: neither
    StageId stage;
    MicrobatchId microbatch;
    LayerId layer;
    int32_t slot = -1; // position in the step's dispatch program
    Kind kind = Kind::kForward;
    IdleReason reason = IdleReason::kNone;
    bool isGradient = false; // of a packet: the gradient of layer `layer`'s input, not the input itself (flow.h)
    uint8_t reserved = 0;
    // kWait: position of the slot that was waited for, in the same step (kUpdate: in the step of that update). The
    // waiting slot's own one for weights.
    int32_t blockingSlot = -1;
};
static_assert(sizeof(Record) == 64);

// What a lane shows, for the timeline's header column and the exports' process and thread names.
enum class LaneRole : uint8_t {
    kCompute,
    kWeightsUp,
    kActivationsUp,
    kActivationsDown,
    kGradientsDown,
    kMemory, // of a device; of the host where there is none
    kOptimizer,
    kSession
};
struct Lane {
    LaneId id;
    DeviceId device; // -1: the host
    LaneRole role = LaneRole::kCompute;
    std::string name; // "GPU 0 compute"
};

// The lanes of a run over `deviceNames`: six per device in the order of LaneRole, then the host's memory, optimizer and
// session.
std::vector<Lane> makeLanes(const std::vector<std::string>& deviceNames);
std::string deviceNameOf(const Lane& computeLane);                      // "GPU 0"
std::vector<std::string> deviceNamesOf(const std::vector<Lane>& lanes); // what makeLanes was given
LaneId laneOf(DeviceId device, LaneRole role);                          // lane of a device in makeLanes' order
DeviceId deviceOf(LaneId lane);                 // the device whose lane it is; `lane` is not one of the host's
LaneId hostLane(int numDevices, LaneRole role); // kMemory, kOptimizer or kSession

// That nothing was done because the run was paused, on the session's lane.
Record pauseOf(int numDevices, int64_t fromNs, int64_t toNs);

} // namespace roundpipe::trace
