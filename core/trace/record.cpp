// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/record.h"

#include "base/error.h"

#include <array>

namespace roundpipe::trace {
namespace {

constexpr std::array kKindNames = {"forward",
                                   "recompute",
                                   "backward",
                                   "fused",
                                   "evaluate",
                                   "answer",
                                   "upload-weights",
                                   "upload-adapter",
                                   "upload-activation",
                                   "download-activation",
                                   "download-gradient",
                                   "optimizer",
                                   "wait",
                                   "step",
                                   "memory"};
static_assert(kKindNames.size() == kNumKinds);

constexpr std::array kReasonNames = {"none", "weights", "packet", "update", "gradient", "host", "pause"};
static_assert(kReasonNames.size() == kNumIdleReasons);

constexpr std::array kDeviceRoles = {LaneRole::kCompute,         LaneRole::kWeightsUp,     LaneRole::kActivationsUp,
                                     LaneRole::kActivationsDown, LaneRole::kGradientsDown, LaneRole::kMemory};
constexpr std::array kDeviceRoleNames = {"compute",          "weights up",     "activations up",
                                         "activations down", "gradients down", "memory"};
static_assert(kDeviceRoleNames.size() == kDeviceRoles.size());
constexpr auto kLanesPerDevice = static_cast<int32_t>(kDeviceRoles.size());

} // namespace

const char* toString(Kind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

const char* toString(IdleReason reason) {
    return kReasonNames[static_cast<std::size_t>(reason)];
}

bool isCompute(Kind kind) {
    return kind <= Kind::kAnswer;
}

bool isWork(Kind kind) {
    return kind != Kind::kWait && kind != Kind::kStep && kind != Kind::kMemory;
}

std::vector<Lane> makeLanes(const std::vector<std::string>& deviceNames) {
    std::vector<Lane> lanes;
    const auto numDevices = static_cast<int>(deviceNames.size());
    for (int32_t d = 0; d < numDevices; ++d)
        for (std::size_t r = 0; r < kDeviceRoles.size(); ++r)
            lanes.push_back({laneOf(DeviceId(d), kDeviceRoles[r]), DeviceId(d), kDeviceRoles[r],
                             deviceNames[static_cast<std::size_t>(d)] + " " + kDeviceRoleNames[r]});
    lanes.push_back({hostLane(numDevices, LaneRole::kMemory), DeviceId(), LaneRole::kMemory, "Host memory"});
    lanes.push_back({hostLane(numDevices, LaneRole::kOptimizer), DeviceId(), LaneRole::kOptimizer, "Host optimizer"});
    lanes.push_back({hostLane(numDevices, LaneRole::kSession), DeviceId(), LaneRole::kSession, "Host session"});
    return lanes;
}

std::string deviceNameOf(const Lane& computeLane) {
    const std::string suffix = std::string(" ") + kDeviceRoleNames[0];
    RP_CHECK(computeLane.role == LaneRole::kCompute && computeLane.name.ends_with(suffix));
    return computeLane.name.substr(0, computeLane.name.size() - suffix.size());
}

std::vector<std::string> deviceNamesOf(const std::vector<Lane>& lanes) {
    std::vector<std::string> names;
    for (const Lane& lane : lanes)
        if (lane.role == LaneRole::kCompute) names.push_back(deviceNameOf(lane));
    return names;
}

LaneId laneOf(DeviceId device, LaneRole role) {
    RP_CHECK(device.valid() && static_cast<int32_t>(role) < kLanesPerDevice);
    return LaneId(device.value * kLanesPerDevice + static_cast<int32_t>(role));
}

DeviceId deviceOf(LaneId lane) {
    return DeviceId(lane.value / kLanesPerDevice);
}

LaneId hostLane(int numDevices, LaneRole role) {
    RP_CHECK(role >= LaneRole::kMemory);
    return LaneId(numDevices * kLanesPerDevice + static_cast<int>(role) - static_cast<int>(LaneRole::kMemory));
}

Record pauseOf(int numDevices, int64_t fromNs, int64_t toNs) {
    Record pause;
    pause.kind = Kind::kWait;
    pause.reason = IdleReason::kPause;
    pause.lane = hostLane(numDevices, LaneRole::kSession);
    pause.startNs = pause.queuedNs = fromNs;
    pause.endNs = toNs;
    return pause;
}

} // namespace roundpipe::trace
