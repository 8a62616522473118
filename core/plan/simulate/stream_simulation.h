// SPDX-License-Identifier: GPL-3.0-or-later
// In-order streams of several devices, replayed event by event on a rig: products and copies overlap, and copies that
// share a link, a root complex or the host's memory share its rate. Knows nothing of stages or models.
#pragma once

#include "plan/rig/rig.h"
#include "plan/simulate/link_sharing.h"
#include "trace/record.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::plan {

// One thing on a stream. It starts when its stream's earlier tasks and its inputs have ended.
struct StreamTask {
    // Lane (device and role), kind and labels; kOptimizer's device is the host. Times and bytes are filled in.
    trace::Record what;
    DeviceId device;
    trace::LaneRole role = trace::LaneRole::kCompute;
    double seconds = 0;     // of work, or of a copy on a path that nothing shares
    int64_t bytes = 0;      // of a copy by way of the link to the host; then `seconds` is 0
    bool continues = false; // one record with the stream's task before, unless it waits in between
};

class StreamSimulation {
public:
    // `activationsFirst`: weights and gradients wait while an activation travels the same way; else they share the
    // link. Keeps a reference to `rig`, which has been validated.
    StreamSimulation(const Rig& rig, bool activationsFirst);

    void reserve(std::size_t numTasks); // room for so many, where it is known
    // Appends to the stream of (device, role) and returns the index. Inputs are indices returned before.
    int32_t add(const StreamTask& task, std::span<const int32_t> inputs);
    void run(); // once, after the last add()

    const Rig& rig() const { return m_rig; }
    int32_t numTasks() const { return static_cast<int32_t>(m_tasks.size()); }
    const StreamTask& task(int32_t index) const { return m_tasks[static_cast<std::size_t>(index)]; }
    // Seconds from the beginning, after run(). A copy starts when it is requested, its latency included.
    double startOf(int32_t index) const { return m_starts[static_cast<std::size_t>(index)]; }
    double endOf(int32_t index) const { return m_ends[static_cast<std::size_t>(index)]; }
    std::vector<trace::Record> records() const; // of tasks that take time, and why devices waited; by start

private:
    struct Moment {
        double time;
        int32_t task;
        bool begins; // a copy's latency is over; else the task has ended
        bool operator>(const Moment& o) const { return time != o.time ? time > o.time : task > o.task; }
    };
    std::size_t streamOf(const StreamTask& task) const;
    void linkDependents();
    void start(int32_t task, double now);
    void finish(int32_t task, double now);

    const Rig& m_rig;
    LinkSharing m_links;
    std::vector<StreamTask> m_tasks;
    std::vector<int32_t> m_lastOfStream;
    std::vector<std::pair<int32_t, int32_t>> m_edges; // producer, consumer
    std::vector<int32_t> m_firstDependent;            // into m_dependents, by task
    std::vector<int32_t> m_dependents;
    std::vector<int32_t> m_numPending;
    std::vector<double> m_starts;
    std::vector<double> m_ends;
    std::vector<Moment> m_events; // a heap
};

} // namespace roundpipe::plan
