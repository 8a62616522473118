// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine uploads, and what gradients go down, against what the planner's replay says: slot by slot, on every
// device.
#include "plan/cost/cost_model.h"
#include "plan/simulate/dispatch_simulation.h"
#include "rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <tuple>

namespace roundpipe::testing {
namespace {

using trace::Kind;

constexpr int kNumSteps = 4;

using Place = std::tuple<int, int, int>; // step, slot, device
struct Bytes {
    int64_t bases = 0;
    int64_t adapters = 0;
    int64_t gradients = 0;
    int64_t packetsUp = 0, packetsDown = 0; // how many: a microbatch may be shorter than planned
    bool operator==(const Bytes&) const = default;
};
using Transfers = std::map<Place, Bytes>;

void PrintTo(const Bytes& bytes, std::ostream* out) {
    *out << bytes.bases << " of bases, " << bytes.adapters << " of adapters, " << bytes.gradients << " of gradients, "
         << bytes.packetsUp << " packets up, " << bytes.packetsDown << " down";
}

Transfers transfersIn(const std::vector<trace::Record>& records) {
    Transfers transfers;
    for (const trace::Record& r : records) {
        const bool isPacket =
            r.layer.valid() && (r.kind == Kind::kUploadActivation || r.kind == Kind::kDownloadActivation);
        if (!isPacket && r.kind != Kind::kUploadWeights && r.kind != Kind::kUploadAdapter &&
            r.kind != Kind::kDownloadGradient)
            continue;
        Bytes& bytes = transfers[{r.step, r.slot, trace::deviceOf(r.lane).value}];
        if (isPacket) {
            ++(r.kind == Kind::kUploadActivation ? bytes.packetsUp : bytes.packetsDown);
            continue;
        }
        (r.kind == Kind::kUploadWeights   ? bytes.bases
         : r.kind == Kind::kUploadAdapter ? bytes.adapters
                                          : bytes.gradients) += r.bytes;
    }
    return transfers;
}

Transfers engines(Rig& rig) {
    for (int64_t step = 0; step < kNumSteps; ++step)
        rig.runStep(step);
    rig.takeDown();
    return transfersIn(rig.takeTrace());
}

Transfers planners(const RigSpec& spec, const Rig& rig) {
    plan::Rig devices;
    devices.name = "test";
    devices.host.memoryBytes = int64_t{1} << 45;
    devices.host.memoryBytesPerSecond = 1e16;
    for (int d = 0; d < spec.numDevices; ++d) {
        devices.devices.push_back({"device", int64_t{1} << 45, 1e14, 1e12, true});
        devices.links.push_back({1e6, 1e6, 0, true, -1}); // slow: no copy is too short for a record
    }
    plan::TrainingShape shape;
    shape.maxLength = 24;
    shape.operandType = spec.dtype;
    shape.trainsBase = spec.trainsBase;
    shape.lora = rig.model().trained.lora;
    const plan::Costs costs = plan::modelCosts(rig.model().spec, shape, devices);
    plan::DispatchOptions options;
    options.numSteps = kNumSteps;
    options.keepsRecords = true;
    return transfersIn(
        plan::simulateDispatch(rig.plan(), costs, devices, {spec.microbatches, spec.rounds}, options).records);
}

int64_t basesOf(const Transfers& transfers, int step) {
    int64_t bytes = 0;
    for (const auto& [place, of] : transfers)
        if (std::get<0>(place) == step) bytes += of.bases;
    return bytes;
}

TEST(Transfers, areThoseOfThePlan) {
    using Names = std::vector<std::string>;
    for (const auto& [numDevices, trainsBase, modules] :
         std::vector<std::tuple<int, bool, Names>>{{1, false, {}},
                                                   {2, false, {}},
                                                   {3, false, {}},
                                                   {1, true, {}},
                                                   {3, true, {}},
                                                   {2, false, {"embed_tokens", "norm"}}})
        for (const int32_t percent : {0, 50})
            for (const int32_t depth : {0, 1, 3})
                for (const auto& [forward, backward] : {std::pair<std::vector<int32_t>, std::vector<int32_t>>{{}, {6}},
                                                        {{2, 2}, {2, 1, 1, 1}},
                                                        {{3}, {3, 2}},
                                                        {{5}, {1, 1, 1, 1, 1}},
                                                        {{1, 1, 1, 1, 1}, {1, 2, 3}}}) {
                    RigSpec spec;
                    spec.numDevices = numDevices;
                    spec.trainsBase = trainsBase;
                    spec.modulesToSave = modules;
                    spec.microbatches = 1;
                    spec.rounds = depth == 3 ? 2 : 1;
                    spec.residentPercent = percent;
                    spec.prefetchDepth = depth;
                    spec.forwardStages = forward;
                    spec.backwardStages = backward;
                    for (const bool keepsPackets : {false, true}) {
                        if (keepsPackets && (numDevices > 1 || depth != 1)) continue;
                        spec.keepsPackets = keepsPackets;
                        Rig rig(spec);
                        EXPECT_EQ(engines(rig), planners(spec, rig))
                            << numDevices << " devices, " << percent << " % resident, " << depth << " ahead, "
                            << backward.size() << " backward stages, packets " << (keepsPackets ? "stay" : "go");
                    }
                }
}

// What backward stages begin with goes down and comes up, and nothing else.
TEST(Packets, goDownOnlyForBackwardStagesWhereTheyStay) {
    RigSpec spec;
    spec.microbatches = 3;
    spec.forwardStages = {2, 2};
    spec.backwardStages = {2, 2, 1};
    for (const bool keepsPackets : {false, true}) {
        spec.keepsPackets = keepsPackets;
        Rig rig(spec);
        int64_t up = 0, down = 0;
        for (const auto& [place, of] : engines(rig)) {
            up += of.packetsUp;
            down += of.packetsDown;
        }
        const int64_t each = int64_t{kNumSteps} * spec.microbatches;
        EXPECT_EQ(down, (keepsPackets ? 2 : 5) * each) << "inputs of layers 1, 2 and 4, gradients of those of 4 and 2";
        EXPECT_EQ(up, (keepsPackets ? 2 : 6) * each) << "and the input of layer 2 for both passes";
    }
}

TEST(Uploads, happenOnceInARunWhereLayersStay) {
    RigSpec spec;
    spec.residentPercent = 100;
    spec.forwardStages = {1, 3};
    spec.backwardStages = {2, 2, 1};
    Rig rig(spec);
    const Transfers transfers = engines(rig);
    int64_t all = 0;
    for (int32_t l = 0; l < rig.model().numLayers(); ++l)
        all += rig.store().uploadBytes(LayerId(l));
    EXPECT_EQ(basesOf(transfers, 0), all);
    for (int step = 1; step < kNumSteps; ++step)
        EXPECT_EQ(basesOf(transfers, step), 0) << step;
}

// A table of its own and everything else in one stage: what an engine with two regions uploaded anew in every step.
TEST(Uploads, areNoneWhereAStageAndWhatComesNextHaveRoom) {
    RigSpec spec;
    spec.forwardStages = {1};
    spec.backwardStages = {5};
    Rig rig(spec);
    const Transfers transfers = engines(rig);
    for (int step = 1; step < kNumSteps; ++step)
        EXPECT_EQ(basesOf(transfers, step), 0) << step;
}

} // namespace
} // namespace roundpipe::testing
