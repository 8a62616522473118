// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_run.h"

#include "base/error.h"
#include "device/host_memory.h"
#include "device/open_devices.h"
#include "engine/engine.h"
#include "engine/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

namespace roundpipe::cli {
namespace {

using session::RunEvent;

template <class Number>
void raise(std::optional<Number>& peak, const std::optional<Number>& seen) {
    if (seen && (!peak || *seen > *peak)) peak = seen;
}

void keepPeaks(session::MachineStatus& peaks, const session::MachineStatus& seen) {
    peaks.devices.resize(std::max(peaks.devices.size(), seen.devices.size()));
    for (std::size_t d = 0; d < seen.devices.size(); ++d) {
        session::DeviceStatus& peak = peaks.devices[d];
        const session::DeviceStatus& now = seen.devices[d];
        peak.peakBytes = std::max(peak.peakBytes, now.peakBytes);
        peak.totalBytes = now.totalBytes;
        if (!now.gpu) continue;
        if (!peak.gpu) peak.gpu.emplace();
        raise(peak.gpu->usedBytes, now.gpu->usedBytes);
        raise(peak.gpu->temperatureCelsius, now.gpu->temperatureCelsius);
        raise(peak.gpu->powerWatts, now.gpu->powerWatts);
    }
    peaks.host.processBytes = std::max(peaks.host.processBytes, seen.host.processBytes);
    peaks.host.pinnedBytes = std::max(peaks.host.pinnedBytes, seen.host.pinnedBytes);
    peaks.host.totalBytes = seen.host.totalBytes;
}

void takeEvents(session::Engine& engine, BenchRun& run, std::optional<Error>& failure) {
    for (RunEvent& event : engine.takeEvents()) {
        if (event.kind == RunEvent::Kind::kPlanReady) run.plan = std::move(event.plan);
        if (event.kind == RunEvent::Kind::kStepDone) run.steps.push_back(event.metrics);
        if (event.kind == RunEvent::Kind::kWarning) std::fprintf(stderr, "warning: %s\n", event.text.c_str());
        if (event.kind == RunEvent::Kind::kError) failure.emplace(event.errorKind, event.text, event.advice);
    }
}

std::string wordsFor(const session::Snapshot& now) {
    if (now.step == 0) return session::textOf(now.activities);
    return fmt::format("step {} of {}", now.step, now.totalSteps);
}

} // namespace

BenchRun runBench(const session::RunSpec& spec, int64_t numSteps,
                  const std::function<bool(const std::string&)>& doing) {
    const std::unique_ptr<session::Engine> engine = engine::makeEngine();
    BenchRun run;
    run.spec = spec;
    run.rig = engine::rigOf(device::openDevices(spec.engine.devices, {}), 0);
    std::vector<trace::Record> records;
    std::optional<Error> failure;
    run.ownBytesBefore = device::anonymousBytes();
    engine->start(spec, {});
    for (bool over = false; !over;) {
        const session::Snapshot now = engine->snapshot();
        over = session::isOver(now.state); // before the events, so that none of the last ones is missed
        keepPeaks(run.peaks, now.machine);
        run.ownBytes = std::max(run.ownBytes, device::anonymousBytes());
        takeEvents(*engine, run, failure);
        engine->takeTrace(records);
        const bool measured = std::ssize(run.steps) >= numSteps;
        if (measured || !doing(wordsFor(now))) engine->send({session::Command::Kind::kStopAndDiscard});
        if (!over) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    engine->wait();
    engine->takeTrace(records);
    if (failure) throw *failure;
    if (std::ssize(run.steps) < numSteps) throw Error(ErrorKind::kCancelled, "The benchmark was stopped.");
    run.steps.resize(static_cast<std::size_t>(numSteps));
    run.numRecordsDropped = engine->numTraceRecordsDropped();
    run.trace = trace::LaneStore(run.plan->lanes, records.empty() ? 0 : records.front().startNs);
    run.trace.append(records);
    return run;
}

} // namespace roundpipe::cli
