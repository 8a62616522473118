// The thread that turns gradients into new adapter versions, layer by layer as they arrive.
#pragma once

#include "base/thread_team.h"
#include "geometry/layer_sizes.h"
#include "optim/optimizer.h"
#include "pipeline/gradient_board.h"
#include "pipeline/program_run.h"
#include "trace/recording/recorder.h"
#include "transfer/adapter_blocks.h"

#include <deque>
#include <memory>
#include <thread>

namespace roundpipe::pipeline {

class OptimizerThread {
public:
    struct Parts { // all outlive the thread
        std::shared_ptr<Monitor> monitor;
        std::shared_ptr<device::Fault> fault;
        GradientBoard& gradients;
        transfer::AdapterBlocks& adapters;
        optim::Optimizer& optimizer;
        trace::Recorder* recorder = nullptr; // may be null
        int32_t numDevices = 0;
        const std::vector<geometry::LayerSizes>& layers;
        int32_t maxRounds = 1;  // of a step
        double maxGradNorm = 0; // 0: no clipping
    };
    explicit OptimizerThread(Parts parts);
    ~OptimizerThread(); // after Monitor::stop()
    OptimizerThread(const OptimizerThread&) = delete;
    OptimizerThread& operator=(const OptimizerThread&) = delete;

    void submit(std::shared_ptr<ProgramRun> run);

private:
    void work();
    void runStep(ProgramRun& run);
    struct Gradients { // [layer], of the whole step
        std::vector<const void*> values;
        std::vector<double> squares;
    };
    Gradients gather(const ProgramRun& run);
    // The step's gradient of a layer with the given round added: points into the board or into m_sums.
    const void* accumulate(const ProgramRun& run, LayerId layer, int32_t round);
    double normOf(const ProgramRun& run, const std::vector<double>& squares) const;
    void update(const ProgramRun& run, LayerId layer, const void* gradients, double coefficient);
    void put(trace::Kind kind, trace::LaneRole role, const ProgramRun& run, int64_t startNs, LayerId layer = {});

    Parts m_parts;
    ThreadTeam m_team;
    trace::Producer* m_producer = nullptr;
    std::vector<LayerId> m_layers;                  // the trained ones, shallow to deep
    std::vector<device::HostBuffer> m_sums;         // by layer, where steps have several rounds
    int64_t m_lastEndNs = 0;                        // of the step before
    std::deque<std::shared_ptr<ProgramRun>> m_runs; // guarded by the monitor
    std::thread m_thread;                           // last: starts when the rest is there
};

} // namespace roundpipe::pipeline
