// SPDX-License-Identifier: GPL-3.0-or-later
// The door to training: commands in, snapshots and events out. The GUI and the command line know this interface only;
// behind it is the LibTorch engine (core/engine) or the simulated one (simulated_engine.h).
//
// Everything that crosses is a plain value, so that a process of its own can stand behind it (core/hosted).
#pragma once

#include "arch/model_outline.h"
#include "base/error.h"
#include "base/spelling.h"
#include "plan/plan.h"
#include "session/activity.h"
#include "session/command.h"
#include "session/machine_status.h"
#include "session/run_text.h"
#include "session/spec/run_spec.h"
#include "trace/record.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::session {

enum class RunState {
    kIdle,
    kPreparing,
    kTraining,
    kEvaluating,
    kAnswering, // sample prompts
    kSaving,
    kPaused,
    kStopping, // from the request on until the run has ended, whatever is still done
    kFinished,
    kStopped,
    kFailed
};
constexpr std::array<const char*, 11> spellings(RunState) {
    return {"idle",   "preparing", "training", "evaluating", "answering", "saving",
            "paused", "stopping",  "finished", "stopped",    "failed"};
}
constexpr bool isOver(RunState state) {
    return state == RunState::kFinished || state == RunState::kStopped || state == RunState::kFailed;
}

// One line of metrics.jsonl.
struct StepMetrics {
    int64_t step = 0; // counted from 1
    double loss = 0;  // mean over the step's trained tokens
    std::optional<double> validationLoss;
    double learningRate = 0;
    double gradNorm = 0; // before clipping; not finite where the step was skipped
    int64_t tokens = 0;
    int64_t trainedTokens = 0;
    double seconds = 0;
    double lossScale = 1; // of its gradients; other than 1 in fp16 alone
    bool skipped = false; // it updated nothing: too large for them, or in any type a value that is not finite
};

// What a device is, for headers and lists.
struct DeviceInfo {
    std::string name; // "cuda:0 NVIDIA GeForce RTX 4090", "cpu:0"
    bool isGpu = false;
    int64_t memoryBytes = 0;
};

// What a run is started with.
struct RunJob {
    RunSpec spec;
    std::vector<std::string> samplePrompts; // answered before the first step and, unless it was stopped, after the last
    bool resume = false;                    // go on from the output folder's last checkpoint
    bool acceptsChanges = false;            // though rows, model or settings have changed since that was written
    bool trainsOn = false;                  // though it has ended early
};
// Checks what can be checked without opening a file (as of its spec). Throws kInvalidInput. What a run that goes on was
// told before stands in its files, secrets or not.
void validate(const RunJob& job);

// What is known once the run is prepared, before its first step.
struct RunPlan {
    plan::Plan plan;
    std::vector<std::string> layerNames;
    std::vector<int64_t> layerBytes; // on a device
    std::vector<DeviceInfo> devices;
    std::vector<trace::Lane> lanes;
    arch::ModelOutline model;
    bool isSimulated = false;
    int64_t numTrainableParameters = 0;
    int64_t numExamples = 0;
    int64_t numValidationExamples = 0;
    int64_t numDroppedRows = 0;
    int64_t totalSteps = 0;
    int64_t stepsDone = 0; // of a resumed run
    int64_t tokensPerEpoch = 0;
    int64_t trainedTokensPerEpoch = 0;

    std::string modelText() const { return model.text() + (isSimulated ? " (simulated)" : ""); } // in English
};

// Latest-wins picture of a run; taken at any rate, nothing in it is lost by skipping one.
struct Snapshot {
    RunState state = RunState::kIdle;
    int64_t step = 0;
    int64_t totalSteps = 0;
    double epoch = 0;
    std::optional<StepMetrics> last;
    double tokensPerSecond = 0;                  // over the last steps
    double elapsedSeconds = 0;                   // since the start, pauses left out
    std::optional<double> remainingSeconds;      // to the end, pauses left out; nothing once it stops
    std::optional<double> remainingErrorSeconds; // how far that is likely off; nothing until a few steps are done
    std::vector<Activity> activities;            // beside the steps, for the status line: what is done at once
    std::vector<Command::Kind> pending;          // asked for, and not begun yet
    bool isPaused = false; // from a pause until it is taken back, also while something is carried out meanwhile
    MachineStatus machine;
};

// What must not be lost, in order.
struct RunEvent {
    enum class Kind {
        kStateChanged,
        kPlanReady,
        kStepDone,
        kValidated, // because it was asked for; a validation that was due stands in the step's metrics
        kCheckpointSaved,
        kSampleReady,
        kWarning,
        kError
    };
    Kind kind = Kind::kStateChanged;
    RunState state = RunState::kIdle;           // kStateChanged
    std::shared_ptr<const RunPlan> plan;        // kPlanReady
    StepMetrics metrics;                        // kStepDone
    int64_t step = 0;                           // steps done, of kValidated, kCheckpointSaved and kSampleReady
    double validationLoss = 0;                  // kValidated
    std::string text;                           // path, warning, error message, or the sample's answer
    std::vector<RunText> coded;                 // where it is codes: the sentences of `text`, which is in English
    std::string advice;                         // kError
    ErrorKind errorKind = ErrorKind::kInternal; // kError
    std::string prompt;                         // kSampleReady
    bool tuned = false;                         // kSampleReady: answered with the adapter
};
constexpr std::array<const char*, 8> spellings(RunEvent::Kind) {
    return {"state-changed",    "plan-ready",   "step-done", "validated",
            "checkpoint-saved", "sample-ready", "warning",   "error"};
}

// One run at a time. All calls may come from any one thread; none blocks for longer than a few milliseconds.
class Engine {
public:
    virtual ~Engine() = default;

    // Begins the run in a background thread. Throws kInvalidInput if the spec itself is wrong, kInternal if a run is
    // under way; all later errors are events.
    void start(RunSpec spec, std::vector<std::string> samplePrompts, bool resume = false) {
        start(RunJob{std::move(spec), std::move(samplePrompts), resume, false});
    }
    virtual void start(RunJob job) = 0;

    // Tells the run what to do. Returns at once; Snapshot::pending says what is still to be done, states and events
    // what is done. While the run is prepared (data, weights, prompts before the first step) commands wait for its
    // first step, but for those that stop, which end it at once. No command changes the losses of later steps, nor what
    // is saved at the end. No-op when no run is under way, and after a stop; kStopAndDiscard after kStop still discards
    // what is not saved yet.
    virtual void send(Command command) = 0;
    void requestStop() { send({Command::Kind::kStop}); }
    // Whether a run goes on where this object is destroyed; else it ends first.
    virtual bool goesOnAlone() const { return false; }
    virtual void wait() = 0; // until the run has ended (this one blocks: forever while it is paused)

    virtual Snapshot snapshot() const = 0;
    virtual std::vector<RunEvent> takeEvents() = 0;              // since the last call, in order
    virtual void takeTrace(std::vector<trace::Record>& out) = 0; // appends what has arrived since the last call
    // What has begun and not ended yet, as far as that is known: at most one slice of a lane, its end means nothing.
    virtual std::vector<trace::Record> openSlices() const = 0;
    virtual uint64_t numTraceRecordsDropped() const = 0;
};

} // namespace roundpipe::session
