// SPDX-License-Identifier: GPL-3.0-or-later
// One program under way: what the threads of a pipeline share about a training step or an evaluation.
#pragma once

#include "base/loss_scale.h"
#include "device/streams/event.h"
#include "geometry/device_buffers.h"
#include "pipeline/batch_block.h"
#include "pipeline/monitor.h"
#include "plan/program.h"

#include <numeric>
#include <string>
#include <vector>

namespace roundpipe::pipeline {

using plan::Program;
using plan::Slot;
using plan::Work;

// Immutable once dispatched, but for the results, which the monitor guards.
struct ProgramRun {
    ProgramRun(Program slots, BatchBlock block) : program(std::move(slots)), batches(std::move(block)) {}

    // In trace records: programs that are no step have numbers of their own, too, so that they are told apart.
    int32_t traceStep() const { return static_cast<int32_t>(training ? step : -2 - serial); }

    int64_t serial = 0; // programs since the pipeline began
    // Blocks until the devices have run all that was issued for the program, losses on the host included. Throws
    // device::Poisoned, and Late at the deadline.
    void waitForDevices(Monitor& monitor, int32_t numDevices, Monitor::Deadline deadline = Monitor::kNever) const {
        const auto areAllIssued = [&] { return std::ssize(ends) == numDevices; };
        for (const DeviceEnd& end : monitor.waitFor(
                 areAllIssued, [&] { return ends; }, deadline)) {
            monitor.notes().awaited(device::Awaited::kProgramIssued, this, end.device.value);
            monitor.await(end.down, device::Awaited::kDownloadsDone, deadline);
            monitor.await(end.gradients, device::Awaited::kGradientsDone, deadline);
        }
        monitor.throwIfFailed(); // CPU streams skip what comes after a fault
    }
    double summedLoss(const device::HostNotes& notes) const { // once the devices have run all of it
        notes.reads(losses, program.numMicrobatches * geometry::kLossBytes, "losses");
        return std::accumulate(losses, losses + program.numMicrobatches, 0.0);
    }
    // Which of the buffers for batches and losses are this program's.
    std::size_t buffers() const { return static_cast<std::size_t>(serial % geometry::kProgramsInFlight); }

    Program program;
    BatchBlock batches;
    bool training = false;
    int64_t step = -1;      // optimizer step, counted from 0; -1: evaluation
    int64_t firstRound = 0; // rounds before this step since the pipeline began
    int64_t adapterVersion = 0;
    double lossScale = 1;     // in fp16 more; gradients have it until they are used
    double gradientScale = 0; // lossScale / trained tokens
    double learningRate = 0;
    int64_t startNs = 0;
    double* losses = nullptr; // host, [numMicrobatches]: summed loss of each
    // What probably comes next, training step `nextStep`: bases for it may be uploaded ahead.
    Program next;
    int64_t nextStep = 0;

    // Results.
    struct DeviceEnd { // of all that its controller issued, by the streams that bring down what is computed
        DeviceId device;
        device::Event down, gradients;
        bool isThere() const { return down.ready() && gradients.ready(); }
    };
    std::vector<DeviceEnd> ends; // of controllers that have issued everything
    bool hasNorm = false;        // training: so have the next two
    double gradNorm = 0;         // not finite: it updates nothing
    std::string notFinite;       // as StepResult has it
    LossScale lossScaleAfter;    // what it makes of the loss scale
    bool updated = false;        // the optimizer is done
    int64_t endNs = 0;           // of the update
};

} // namespace roundpipe::pipeline
