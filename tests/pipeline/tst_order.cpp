// SPDX-License-Identifier: GPL-3.0-or-later
// Every access of a run to memory is ordered by what it waits for, whatever the timing; and each of its waits is
// needed: left out, some plan has a race.
#include "device/order/races.h"
#include "rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
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
    for (const bool trainsBase : {false, true})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
            for (const int32_t onHost : {0, 1})
                add("packets stay", [&](Case& one) {
                    if (onHost > 0)
                        cut(one, {3}, {3, 2, 1});
                    else
                        cut(one, {1, 1, 1, 1, 1}, {1, 1, 2, 1, 1});
                    one.spec.trainsBase = trainsBase;
                    one.spec.updates = updates;
                    one.spec.keepsPackets = true;
                    one.spec.numDevices = 1;
                    one.spec.onHost = onHost;
                    one.spec.rounds = 2;
                    one.spec.stepSize = 5;
                });
    add("replicas, packets stay", [&](Case& one) {
        cut(one, {3}, {3, 2});
        one.spec.replicas = true;
        one.spec.keepsPackets = true;
        one.spec.numDevices = 2;
        one.spec.microbatches = 5;
    });
    return all;
}

struct Logged {
    Case of;
    std::unique_ptr<OrderLog> log = std::make_unique<OrderLog>();
    std::vector<double> losses; // of the steps, and of an evaluation
};

Logged logged(const Case& of, std::optional<Awaited> leftOut = {}) {
    Logged run;
    run.of = of;
    if (leftOut) run.log->leaveOut(*leftOut);
    RigSpec spec = of.spec;
    spec.order = run.log.get();
    Rig rig(spec);
    const auto await = [&](const pipeline::Ticket& step) { run.losses.push_back(rig.pipeline().await(step).loss); };
    pipeline::Ticket step = rig.submit(0);
    for (int64_t next = 1; next < kNumSteps; ++next) {
        if (of.follows == Follows::kUpdate) await(step);
        if (of.follows == Follows::kDevices) rig.pipeline().awaitDevices(step);
        const pipeline::Ticket following = rig.submit(next);
        if (of.follows != Follows::kUpdate) await(step);
        step = following;
    }
    await(step);
    run.losses.push_back(rig.pipeline().evaluate(rig.batches(kNumSteps)).loss);
    return run;
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
            s_runs.push_back(logged(one));
    }
    static void TearDownTestSuite() { s_runs.clear(); }

    // The first run that misses it, as its log shows; null: none does.
    static const Logged* whoMisses(Awaited wait) {
        const auto misses = [&](const Logged& run) { return !device::racesIn(*run.log, wait, 1).empty(); };
        const auto found = std::ranges::find_if(s_runs, misses);
        return found == s_runs.end() ? nullptr : &*found;
    }

    inline static std::vector<Logged> s_runs;
};

TEST_F(Order, noPlanHasARace) {
    for (const Logged& run : s_runs) {
        const auto races = device::racesIn(*run.log);
        EXPECT_TRUE(races.empty()) << run.of.name << textOf(races);
    }
}

TEST_F(Order, eachWaitIsMissedWhereItIsLeftOut) {
    for (const device::AwaitedRow& row : device::kAllAwaited)
        if (row.restsOn != RestsOn::kNothing) {
            EXPECT_NE(whoMisses(row.awaited), nullptr) << "nothing rests on it that " << row.words;
        }
}

// In the run itself, which goes well by luck: no stream makes the wait. Host threads make theirs, as there would be
// nothing to go on with: a version, a packet's place. But their waits for streams have nothing to wait for, as those
// are drained.
TEST_F(Order, aRunWithoutAWaitIsFoundOutThoughItGoesWell) {
    for (const device::AwaitedRow& row : device::kAllAwaited) {
        const Logged* const whole = whoMisses(row.awaited);
        if (row.restsOn == RestsOn::kNothing || !whole) continue;
        SCOPED_TRACE(std::string(row.words) + ": " + whole->of.name);
        const Logged run = logged(whole->of, row.awaited);
        EXPECT_EQ(run.losses, whole->losses);
        EXPECT_FALSE(device::racesIn(*run.log, {}, 1).empty());
        EXPECT_TRUE(std::ranges::none_of(run.log->notes(), [&](const OrderLog::Note& note) {
            const bool isOfStream = note.line != note.issuer;
            return isOfStream && note.kind == OrderLog::NoteKind::kAwaited && note.awaited == row.awaited;
        }));
    }
}

} // namespace
} // namespace roundpipe::testing
