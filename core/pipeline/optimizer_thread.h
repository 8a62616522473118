// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that turns gradients into new versions of what is trained, layer by layer as they arrive.
#pragma once

#include "base/thread_team.h"
#include "geometry/layer_sizes.h"
#include "optim/optimizer.h"
#include "pipeline/gradient_board.h"
#include "pipeline/program_run.h"
#include "trace/recording/recorder.h"
#include "transfer/adapter_blocks.h"
#include "transfer/host_arena.h"

#include <deque>
#include <memory>
#include <string>
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
        int32_t maxRounds = 1;        // of a step
        double maxGradNorm = 0;       // 0: no clipping
        LossScale lossScale;          // after the steps that are done
        bool runsBesideSteps = false; // that do not wait for it
    };
    explicit OptimizerThread(Parts parts);
    ~OptimizerThread(); // after Monitor::stop()
    OptimizerThread(const OptimizerThread&) = delete;
    OptimizerThread& operator=(const OptimizerThread&) = delete;

    void submit(std::shared_ptr<ProgramRun> run);

private:
    const device::HostNotes& notes() const;
    void work();
    void runStep(ProgramRun& run);
    struct Gradients { // [layer], of the whole step
        std::vector<const void*> values;
        std::vector<double> squares;
    };
    Gradients gather(const ProgramRun& run);
    // Whether a layer's next round may be added now; `rounds`: of each layer, that were.
    bool isNext(LayerId layer, const std::vector<int32_t>& rounds) const;
    // The step's gradient of a layer with the given round added: points into the board or into m_sums.
    const void* accumulate(const ProgramRun& run, LayerId layer, int32_t round);
    // Adds a layer's gradients of a round, of type `type`, to the sums of their owner, or begins those with them.
    void sum(const geometry::TrainedPiece& piece, DType type, const std::byte* arrived, bool begins);
    // Whether a layer's gradients are updated from where they arrived, in steps of one round.
    bool isDirect(const ProgramRun& run, LayerId layer) const;
    DType gradientType(const ProgramRun& run, LayerId layer) const; // of the step's: as it arrived, or as it was summed
    double normOf(const ProgramRun& run, const std::vector<double>& squares) const;
    std::string notFiniteIn(const std::vector<double>& squares) const; // the shallowest layer's name, or "loss"
    // `gradientScale`: by which they are multiplied; `count`: of updates with this one.
    void update(const ProgramRun& run, LayerId layer, const void* gradients, double gradientScale, int64_t count);
    void skip(const ProgramRun& run, LayerId layer); // publishes the same once more
    void doneWith(const ProgramRun& run, LayerId layer);
    void put(trace::Kind kind, trace::LaneRole role, const ProgramRun& run, int64_t startNs, LayerId layer = {});

    Parts m_parts;
    ThreadTeam m_team;
    trace::Producer* m_producer = nullptr;
    std::vector<LayerId> m_layers; // the trained ones, shallow to deep
    struct SharedTable {
        LayerId user, owner; // the user's gradients of the table are added to the owner's
    };
    std::vector<SharedTable> m_shared;
    transfer::HostArena m_sums;                     // by layer, where steps have several rounds or layers share a table
    int64_t m_lastEndNs = 0;                        // of the step before
    LossScale m_lossScale;                          // after it
    std::deque<std::shared_ptr<ProgramRun>> m_runs; // guarded by the monitor
    std::thread m_thread;                           // last: starts when the rest is there
};

} // namespace roundpipe::pipeline
