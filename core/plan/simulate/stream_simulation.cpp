// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/stream_simulation.h"

#include "base/error.h"
#include "trace/analysis/idle.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace roundpipe::plan {
namespace {

using trace::LaneRole;

constexpr std::size_t kStreamsPerDevice = 5;

bool goesUp(LaneRole role) {
    return role == LaneRole::kWeightsUp || role == LaneRole::kActivationsUp;
}
bool movesActivations(LaneRole role) {
    return role == LaneRole::kActivationsUp || role == LaneRole::kActivationsDown;
}

} // namespace

StreamSimulation::StreamSimulation(const Rig& rig, bool activationsFirst)
    : m_rig(rig), m_links(rig, activationsFirst), m_lastOfStream(kStreamsPerDevice * rig.devices.size() + 1, -1) {}

std::size_t StreamSimulation::streamOf(const StreamTask& task) const {
    if (task.role == LaneRole::kOptimizer) return m_lastOfStream.size() - 1;
    return kStreamsPerDevice * task.device.index() + static_cast<std::size_t>(task.role);
}

void StreamSimulation::reserve(std::size_t numTasks) {
    m_tasks.reserve(numTasks);
    m_edges.reserve(3 * numTasks);
}

int32_t StreamSimulation::add(const StreamTask& task, std::span<const int32_t> inputs) {
    const auto index = static_cast<int32_t>(m_tasks.size());
    m_tasks.push_back(task);
    int32_t& last = m_lastOfStream[streamOf(task)];
    if (last >= 0) m_edges.emplace_back(last, index);
    last = index;
    for (const int32_t input : inputs) {
        RP_CHECK(input >= 0 && input < index);
        m_edges.emplace_back(input, index);
    }
    return index;
}

void StreamSimulation::linkDependents() {
    m_numPending.assign(m_tasks.size(), 0);
    m_firstDependent.assign(m_tasks.size() + 1, 0);
    for (const auto& [producer, consumer] : m_edges) {
        ++m_numPending[static_cast<std::size_t>(consumer)];
        ++m_firstDependent[static_cast<std::size_t>(producer) + 1];
    }
    for (std::size_t i = 0; i < m_tasks.size(); ++i)
        m_firstDependent[i + 1] += m_firstDependent[i];
    m_dependents.resize(m_edges.size());
    std::vector<int32_t> next(m_firstDependent.begin(), m_firstDependent.end() - 1);
    for (const auto& [producer, consumer] : m_edges)
        m_dependents[static_cast<std::size_t>(next[static_cast<std::size_t>(producer)]++)] = consumer;
}

void StreamSimulation::run() {
    linkDependents();
    m_starts.assign(m_tasks.size(), 0);
    m_ends.assign(m_tasks.size(), 0);
    for (int32_t t = 0; t < numTasks(); ++t)
        if (m_numPending[static_cast<std::size_t>(t)] == 0) start(t, 0);
    for (;;) {
        const double copied = m_links.nextEnd();
        const bool hasEvent = !m_events.empty();
        if (!hasEvent && std::isinf(copied)) break;
        if (!hasEvent || copied < m_events.front().time) {
            finish(m_links.finishNext(), copied);
            continue;
        }
        std::ranges::pop_heap(m_events, std::greater<>());
        const Moment event = m_events.back();
        m_events.pop_back();
        const StreamTask& t = task(event.task);
        if (event.begins)
            m_links.begin(
                {event.task, t.device, goesUp(t.role), movesActivations(t.role), static_cast<double>(t.bytes)},
                event.time);
        else
            finish(event.task, event.time);
    }
}

void StreamSimulation::start(int32_t index, double now) {
    m_starts[static_cast<std::size_t>(index)] = now;
    const StreamTask& t = task(index);
    const bool isCopy = t.bytes > 0 && t.seconds <= 0;
    const double until = now + (isCopy ? m_rig.links[t.device.index()].latencySeconds : t.seconds);
    m_events.push_back({until, index, isCopy});
    std::ranges::push_heap(m_events, std::greater<>());
}

void StreamSimulation::finish(int32_t index, double now) {
    const auto i = static_cast<std::size_t>(index);
    m_ends[i] = now;
    for (auto d = static_cast<std::size_t>(m_firstDependent[i]); d < static_cast<std::size_t>(m_firstDependent[i + 1]);
         ++d)
        if (--m_numPending[static_cast<std::size_t>(m_dependents[d])] == 0) start(m_dependents[d], now);
}

std::vector<trace::Record> StreamSimulation::records() const {
    constexpr double kNsPerSecond = 1e9;
    std::vector<trace::Record> records;
    std::vector<std::size_t> lastOfStream(m_lastOfStream.size());
    for (int32_t i = 0; i < numTasks(); ++i) {
        const StreamTask& t = task(i);
        std::size_t& last = lastOfStream[streamOf(t)];
        const int64_t startNs = std::llround(startOf(i) * kNsPerSecond);
        const int64_t endNs = std::llround(endOf(i) * kNsPerSecond);
        if (t.continues && startNs - records[last].endNs < trace::kShortestIdleNs) {
            records[last].endNs = endNs;
            continue;
        }
        trace::Record record = t.what;
        record.startNs = startNs;
        record.endNs = endNs;
        record.queuedNs = record.startNs;
        record.bytes = t.bytes;
        record.lane = t.role == LaneRole::kOptimizer ? trace::hostLane(m_rig.numDevices(), LaneRole::kOptimizer)
                                                     : trace::laneOf(t.device, t.role);
        last = records.size();
        records.push_back(record);
    }
    const std::vector<trace::Record> waits = trace::idleSlicesOf(records);
    std::erase_if(records, [](const trace::Record& r) { return r.endNs <= r.startNs; });
    records.insert(records.end(), waits.begin(), waits.end());
    std::ranges::sort(records, {}, &trace::Record::startNs);
    return records;
}

} // namespace roundpipe::plan
