// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rehearsal/rehearsal.h"

#include "base/error.h"
#include "device/device_hung.h"
#include "device/order/races.h"
#include "engine/rehearsal/small_training.h"
#include "engine/rehearsal/ways.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <utility>

namespace roundpipe::engine {
namespace {

constexpr int64_t kNumSteps = 3;

Outcome trainIn(const Way& way, const std::vector<std::string>& names) {
    return SmallTraining(way, names).train(kNumSteps);
}

// What ways must come to, computed once for all that train the same.
class ExpectedOutcomes {
public:
    explicit ExpectedOutcomes(std::string device) : m_device(std::move(device)) {}

    const Outcome& of(const Way& way, const std::vector<std::string>& devices) {
        Way simplest = simplestLike(way);
        if (way.replicas) simplest.rounds = static_cast<int32_t>(devices.size()); // whose gradients add up like theirs
        const auto [found, isNew] = m_outcomes.try_emplace(nameOf(simplest, 1));
        if (isNew) found->second = trainIn(simplest, {m_device});
        return found->second;
    }

private:
    std::string m_device;
    std::map<std::string, Outcome> m_outcomes; // by the name of the simplest way
};

// Stages that come and go, of which half of the layers stay, without a gap between steps.
Way manyStages() {
    return {
        .forward = {2, 2, 2}, .backward = {2, 2, 2, 1}, .residentPercent = 50, .prefetchDepth = 1, .leavesNoGap = true};
}

// Spans that begin late by chance, on all streams: whoever forgot to wait reads what is not there yet.
std::string withDelays(const std::vector<std::string>& devices, Updates updates, int64_t numSteps) {
    std::atomic<uint32_t> numSpans{0};
    const auto delay = [&numSpans](const trace::Record&) {
        constexpr uint32_t kOneIn = 16, kMostMicroseconds = 500;
        std::minstd_rand draw(numSpans.fetch_add(1) + 1);
        draw.discard(2);
        if (draw() % kOneIn == 0) std::this_thread::sleep_for(std::chrono::microseconds(draw() % kMostMicroseconds));
    };
    Way way = manyStages();
    way.updates = updates;
    return firstDifference(SmallTraining(way, devices, {.onSpan = delay}).train(numSteps),
                           SmallTraining(simplestLike(way), {devices.front()}).train(numSteps));
}

// All that the devices are given to do, logged: no access to memory may be without order, even if it went well this
// time.
std::string withLog(const Way& way, const std::vector<std::string>& devices) {
    device::OrderLog log;
    SmallTraining(way, devices, {.order = &log}).train(kNumSteps);
    const std::vector<device::Race> races = device::racesIn(log);
    return races.empty() ? "" : fmt::format("not ordered: {}; {}", races.front().first, races.front().second);
}

// Once it has seen its batches, a loop takes no more memory of a device, nor do LibTorch's kernels.
std::string withoutAllocations(const std::vector<std::string>& devices) {
    constexpr int64_t kSeen = 4, kMore = 20; // the first also choose among kernels
    Way way = manyStages();
    way.checksSlots = false; // which takes memory
    SmallTraining training(way, devices);
    for (int64_t step = 0; step < kSeen; ++step)
        training.runStep(step);
    const int64_t before = training.numAllocations();
    for (int64_t step = 0; step < kMore; ++step)
        training.runStep(step % kSeen);
    const int64_t count = training.numAllocations() - before;
    return count == 0 ? "" : fmt::format("{} allocations in {} steps", count, kMore);
}

// Steps whose loss scale is too large must update nothing, until it is small enough.
std::string withSkippedSteps(const std::string& name) {
    constexpr double kTooLarge = 0x1p30;
    constexpr int64_t kMostSteps = 30;
    Way way = plainWays().front();
    way.inFp16 = true;
    SmallTraining training(way, {name}, {.lossScale = {kTooLarge, kTooLarge}});
    const std::vector<std::byte> before = training.masters();
    for (int64_t step = 0; step < kMostSteps; ++step) {
        const bool skipped = training.runStep(step).skipped, isSame = training.masters() == before;
        if (step == 0 && !skipped) return fmt::format("the step with a loss scale of {} was not skipped", kTooLarge);
        if (skipped != isSame) return skipped ? "a skipped step made an update" : "a step made no update";
        if (!skipped) return {};
    }
    return "every step was skipped";
}

// A device that does not come to an end with a step must end it in words, and leave the weights of the one before.
std::string withHang(const std::string& name) {
    std::atomic<bool> goesOn{false};
    const auto hang = [&goesOn](const trace::Record& span) {
        while (span.kind == trace::Kind::kFused && span.step == 1 && !goesOn)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    constexpr double kHangSeconds = 5;
    SmallTraining training(plainWays().front(), {name}, {.onSpan = hang, .hangSeconds = kHangSeconds});
    training.runStep(0);
    const std::vector<std::byte> before = training.masters();
    std::string problem = "the step came to an end";
    try {
        training.runStep(1);
    } catch (const device::DeviceHung&) {
        problem.clear();
    }
    if (problem.empty() && !training.hangs()) problem = "it does not hang";
    if (problem.empty() && training.masters() != before) problem = "the weights are not those of the step before";
    goesOn = true;
    return problem;
}

// Of so many devices, how many train together: one, two, and twice as many up to all.
std::vector<std::vector<std::string>> teamsOf(const std::vector<std::string>& devices) {
    std::vector<std::vector<std::string>> teams;
    for (std::size_t count = 1; count < devices.size(); count *= 2)
        teams.emplace_back(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count));
    teams.push_back(devices);
    return teams;
}

// A team between one device and all has seldom a fault that neither of them has, and would take as long as they.
std::vector<Way> triedBy(std::size_t numTraining, std::size_t numDevices, std::vector<Way> all) {
    constexpr std::size_t kOneIn = 5;
    if (numTraining == 1 || numTraining == numDevices) return all;
    std::size_t n = 0;
    std::erase_if(all, [&n](const Way&) { return n++ % kOneIn != 0; });
    return all;
}

// What was rehearsed, each told as it ends.
class Rehearsals {
public:
    explicit Rehearsals(const std::function<void(const Rehearsal&)>& done) : m_done(done) {}

    void add(std::string name, const auto& problem) {
        Rehearsal& one = m_all.emplace_back();
        one.name = std::move(name);
        try {
            one.problem = problem();
        } catch (const Error& error) {
            one.problem = error.message();
        }
        m_done(one);
    }

    void addDelays(const std::vector<std::string>& devices, Updates updates, int64_t numSteps) {
        add(fmt::format("{} device{}{}, {} steps with delays in all streams", devices.size(),
                        devices.size() == 1 ? "" : "s",
                        updates == Updates::kOneStepStale ? ", updates one step stale" : "", numSteps),
            [&] { return withDelays(devices, updates, numSteps); });
    }

    std::vector<Rehearsal> take() { return std::move(m_all); }

private:
    const std::function<void(const Rehearsal&)>& m_done;
    std::vector<Rehearsal> m_all;
};

} // namespace

std::vector<Rehearsal> rehearseDelays(const std::vector<std::string>& devices, int64_t numSteps,
                                      const std::function<void(const Rehearsal&)>& done) {
    RP_CHECK(!devices.empty());
    Rehearsals all(done);
    for (const std::vector<std::string>& some : teamsOf(devices))
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
            all.addDelays(some, updates, numSteps);
    return all.take();
}

std::vector<Rehearsal> rehearse(const std::vector<std::string>& devices,
                                const std::function<void(const Rehearsal&)>& done) {
    RP_CHECK(!devices.empty());
    Rehearsals all(done);
    ExpectedOutcomes expected(devices.front());
    const auto rehearseOn = [&](const std::vector<std::string>& some, const Way& way, const char* remark) {
        all.add(nameOf(way, some.size()) + remark,
                [&] { return firstDifference(trainIn(way, some), expected.of(way, some)); });
    };
    for (const std::vector<std::string>& some : teamsOf(devices))
        for (const Way& way : triedBy(some.size(), devices.size(), waysOfTeam(some.size())))
            rehearseOn(some, way, "");
    for (const std::vector<std::string>& some : teamsOf(devices))
        for (const Way& way : triedBy(some.size(), devices.size(), waysToLog(some.size())))
            all.add(nameOf(way, some.size()) + ", its order logged", [&] { return withLog(way, some); });
    // Links that copies take longer on: other waits, the same bits.
    const std::string likeA3090 = devices.front() + "@3090";
    rehearseOn({likeA3090, likeA3090}, replicas(50), ", both on the first as an RTX 3090");
    for (const Way& way : plainWays())
        if (way.residentPercent == 50) rehearseOn({likeA3090, likeA3090}, way, ", both on the first as an RTX 3090");
    const int64_t numSteps = devices.front().starts_with("cpu") ? 20 : 200;
    for (const std::vector<std::string>& some : teamsOf(devices))
        all.addDelays(some, Updates::kSynchronous, numSteps);
    all.add("no memory is allocated after the first steps", [&] { return withoutAllocations(devices); });
    all.add("steps that are skipped, fp16", [&] { return withSkippedSteps(devices.front()); });
    all.add("a device that hangs", [&] { return withHang(devices.front()); });
    return all.take();
}

} // namespace roundpipe::engine
