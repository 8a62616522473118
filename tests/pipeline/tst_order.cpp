// SPDX-License-Identifier: GPL-3.0-or-later
// Every access of a run to memory is ordered by what it waits for, whatever the timing; and each of its waits is
// needed: left out, some plan has a race.
#include "device/order/races.h"
#include "rig.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace roundpipe::testing {
namespace {

using device::Awaited;
using device::OrderLog;
using device::RestsOn;
using geometry::Saving;

constexpr int64_t kNumSteps = 4;

enum class Follows : uint8_t { kUpdate, kDevices, kSubmission };

struct Case {
    std::string name;
    RigSpec spec;
    Follows follows = Follows::kUpdate; // of the step before: when the next one is submitted
};

// Of six layers: embedding, four blocks, head.
std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](std::string name, const auto& change) {
        Case& one = all.emplace_back();
        one.name = std::move(name);
        one.spec.microbatches = 3;
        one.spec.numDevices = 1 + static_cast<int>(all.size()) % 3;
        one.spec.prefetchDepth = static_cast<int32_t>(all.size()) % 4;
        one.spec.residentPercent = static_cast<int32_t>(all.size()) % 2 * 50;
        one.spec.checksSlots = all.size() % 4 == 0;
        one.follows = static_cast<Follows>(all.size() % 3);
        change(one);
    };
    const auto cut = [](Case& one, std::vector<int32_t> forward, std::vector<int32_t> backward) {
        one.spec.forwardStages = std::move(forward);
        one.spec.backwardStages = std::move(backward);
    };
    for (const bool trainsBase : {false, true})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
            for (const int numDevices : {1, 2, 3}) {
                const std::string what = std::string(trainsBase ? "weights" : "adapters") +
                                         (updates == Updates::kOneStepStale ? ", stale, " : ", ") +
                                         std::to_string(numDevices);
                const auto base = [=](Case& one) {
                    one.spec.trainsBase = trainsBase;
                    one.spec.updates = updates;
                    one.spec.numDevices = numDevices;
                };
                add(what, base);
                add(what + ", many stages, rounds", [&](Case& one) {
                    base(one);
                    cut(one, {1, 1, 1, 1, 1}, {1, 1, 2, 1, 1});
                    one.spec.rounds = 2;
                    one.spec.stepSize = 5;
                });
                add(what + ", saved on the host", [&](Case& one) {
                    base(one);
                    cut(one, {3}, {3, 2, 1});
                    one.spec.onHost = 2;
                });
                for (const Saving saving : {Saving::kWithoutGateUp, Saving::kInput})
                    add(what + ", saved on the host " + spellingOf(saving), [&](Case& one) {
                        base(one);
                        cut(one, {2, 2}, {2, 3, 1});
                        one.spec.onHost = 3;
                        one.spec.saving = {saving};
                    });
                add(what + ", computed again", [&](Case& one) {
                    base(one);
                    cut(one, {2, 2}, {2, 3, 1});
                    one.spec.saving = {Saving::kInput, Saving::kWithoutGateUp};
                });
            }
    for (const bool trainsBase : {false, true})
        add("replicas", [&](Case& one) {
            one.spec.trainsBase = trainsBase;
            one.spec.replicas = true;
            one.spec.numDevices = 3;
            one.spec.microbatches = 7;
        });
    add("whole modules", [&](Case& one) { one.spec.modulesToSave = {"embed_tokens", "norm"}; });
    add("bf16 weights", [&](Case& one) {
        one.spec.trainsBase = true;
        one.spec.dtype = DType::kBF16;
    });
    add("fp16", [&](Case& one) {
        one.spec.dtype = DType::kF16;
        one.spec.lossScale = {0x1p30, 0x1p30}; // the first steps are skipped
    });
    return all;
}

std::unique_ptr<OrderLog> logOf(Case one) {
    auto log = std::make_unique<OrderLog>();
    one.spec.order = log.get();
    Rig rig(one.spec);
    pipeline::Ticket step = rig.submit(0);
    for (int64_t next = 1; next < kNumSteps; ++next) {
        if (one.follows == Follows::kUpdate) rig.pipeline().await(step);
        if (one.follows == Follows::kDevices) rig.pipeline().awaitDevices(step);
        const pipeline::Ticket following = rig.submit(next);
        if (one.follows != Follows::kUpdate) rig.pipeline().await(step);
        step = following;
    }
    rig.pipeline().await(step);
    rig.pipeline().evaluate(rig.batches(kNumSteps));
    return log;
}

std::string textOf(const std::vector<device::Race>& races) {
    std::string text;
    for (const device::Race& race : races)
        text += "\n    " + race.first + "\n  not ordered with\n    " + race.second;
    return text;
}

class Order : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        for (const Case& one : cases())
            s_logs.emplace_back(one.name, logOf(one));
    }
    static void TearDownTestSuite() { s_logs.clear(); }

    inline static std::vector<std::pair<std::string, std::unique_ptr<OrderLog>>> s_logs;
};

TEST_F(Order, noPlanHasARace) {
    for (const auto& [name, log] : s_logs) {
        const auto races = device::racesIn(*log);
        EXPECT_TRUE(races.empty()) << name << textOf(races);
    }
}

TEST_F(Order, eachWaitIsMissedWhereItIsLeftOut) {
    for (const device::AwaitedRow& row : device::kAllAwaited) {
        if (row.restsOn == RestsOn::kNothing) continue;
        const auto misses = [&](const auto& named) { return !device::racesIn(*named.second, row.awaited, 1).empty(); };
        EXPECT_TRUE(std::ranges::any_of(s_logs, misses)) << "nothing rests on it that " << row.words;
    }
}

} // namespace
} // namespace roundpipe::testing
