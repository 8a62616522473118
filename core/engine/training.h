// SPDX-License-Identifier: GPL-3.0-or-later
// One run: its parts, and what it does with them. Each idea has a file: what comes before the first step
// (training_preparation.cpp), its plan (training_plan.cpp), its steps (training_loop.cpp), what is asked of it between
// them (training_answers.cpp), whether and from where it goes on (training_guards.cpp), and its ends (training.cpp).
#pragma once

#include "artifact/checkpoint_folder.h"
#include "engine/fingerprinting.h"
#include "engine/loss_guard.h"
#include "engine/machine_watch.h"
#include "engine/memory_tightening.h"
#include "engine/run_folder.h"
#include "engine/run_plan.h"
#include "engine/run_saver.h"
#include "engine/run_trace.h"
#include "engine/workload.h"
#include "optim/adamw.h"
#include "optim/schedule.h"
#include "optim/still_layers.h"
#include "pipeline/pipeline.h"
#include "runs/training_state.h"
#include "session/run/status_board.h"
#include "trace/recording/recorder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::engine {

// Used by the run's thread only.
class Training {
public:
    // Refers to all of them. `onSpan`: as DeviceContext's.
    Training(const session::RunSpec& spec, RunFolder& folder, session::StatusBoard& board, trace::Recorder& recorder,
             RunTrace& trace, const device::OnSpan& onSpan);
    ~Training();

    // Reads model, data and weights, plans, allocates; announces the plan. Throws kOutOfMemory before it reads weights
    // where no plan fits, kCancelled when asked to stop, and kInvalidInput where the run goes on with something that
    // has changed since, unless it `acceptsChanges`. One that has ended early ends at once, unless it `trainsOn`.
    void prepare(bool acceptsChanges, bool trainsOn);
    // Greedy answers to `prompts`: by the base model, or by the tuned one. Takes the pipeline down.
    void answerSamples(const std::vector<std::string>& prompts, bool tuned);
    // Carries out commands before each step and after the last one. True when all steps are done, false when it was
    // asked to stop. A checkpoint that can't be written on the way is a warning.
    bool train();
    void carryOutCommands();
    void saveResults(); // the last checkpoint and the adapter; throws kIo and kNoSpace
    // After an error: what was trained since the last checkpoint, as of the last step that is whole. `hangs`: a device
    // does. Throws nothing.
    void saveOnFailure(bool hangs);
    void saveTrace();
    const session::RunSpec& spec() const { return m_spec; } // after prepare() with what it left open
    // Whether a device hangs, after device::DeviceHung. Then this object must not be destroyed: it and all that it
    // refers to of devices stay for what may still run there.
    bool hangs();

private:
    // What is done at once; false where it is to stop.
    bool report(std::vector<session::Activity> activities);
    bool report(session::ActivityCode code) { return report({session::Activity(code)}); }
    void openModel();
    void useDataset(data::Dataset dataset);
    void openDevices();
    void makeDevicesAndModel();
    void takeUpCheckpoint(bool acceptsChanges); // but for its weights
    void requirePlan();
    void loadWeights(const Report& report);
    void require(const std::vector<std::string>& changes, bool areAccepted);
    void readWeights(const std::filesystem::path& checkpoint); // with the optimizer's state
    pipeline::PipelineOptions pipelineOptions() const;
    int64_t hostBytesHeld() const; // of what a plan counts
    bool hasBase() const;          // in memory
    RunSoFar soFar() const;
    void makePlan();
    void makePipeline();
    void warnOfUnlocked(int64_t bytes);
    pipeline::Pipeline& pipeline(); // makes it anew where it was taken down
    // As untilItFits, with tighten().
    template <class Body>
    auto withinMemory(const Body& body) {
        return untilItFits(body, [this](const device::DeviceFull& full) { return tighten(full); });
    }
    bool tighten(const device::DeviceFull& full); // false: no plan fits any more
    void announce();
    void tellPlan();
    struct StepUnderWay {
        pipeline::Ticket ticket;
        double learningRate = 0;
    };
    StepUnderWay begin(int64_t step);
    session::StepMetrics take(const StepUnderWay& step);
    void finish(const StepUnderWay& step);
    void trainStep();
    void followFolder(); // wherever somebody has moved it
    bool nothingIsDueAfter(int64_t step) const;
    bool savesAfter(int64_t step) const;
    void lookAt(const session::StepMetrics& metrics); // whether it diverges
    void lookAtMachine();                             // whether it can go on
    void requireWholeWeights() const;
    void rollBack();
    bool endsEarly() const;
    void goOnAfterEarlyEnd(bool trainsOn);
    void tellOfEarlyEnd();
    bool evaluatesAfter(int64_t step) const;
    double evaluate();
    std::optional<double> validateNow(); // nothing where there are no rows
    void writeDown(const session::StepMetrics& metrics);
    void rememberTimes(int64_t firstStep); // of this run, for later plans
    bool isStale() const { return m_spec.optimizer.updates == Updates::kOneStepStale; }
    std::span<const geometry::LayerLayout> layouts() const { return m_model->layouts; }

    session::RunSpec m_spec;
    RunFolder& m_folder;
    session::StatusBoard& m_board;
    trace::Recorder& m_recorder;
    trace::Producer& m_session; // of the session lane
    RunTrace& m_trace;
    device::OnSpan m_onSpan;

    runs::ModelFiles m_modelFiles;
    arch::ModelSpec m_modelSpec;
    std::optional<ModelText> m_text;
    std::optional<data::Dataset> m_dataset;
    std::optional<Fingerprinting> m_fingerprint; // of the dataset and the model
    std::optional<data::Batcher> m_batcher;
    batch::StepContent m_content;
    std::optional<data::BatchFeeder> m_feeder; // while it trains
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::optional<MachineWatch> m_watch; // of the devices
    std::vector<trace::Lane> m_lanes;
    std::unique_ptr<const model::Model> m_model;
    std::unique_ptr<transfer::HostWeightStore> m_store;
    std::unique_ptr<optim::AdamW> m_adamw;
    std::unique_ptr<optim::StillLayers> m_still;    // of it
    std::optional<RunSaver> m_saver;                // of what stands above
    std::unique_ptr<pipeline::Pipeline> m_pipeline; // after what it refers to; null while prompts are answered
    std::optional<StepUnderWay> m_underWay;         // computes already, while the step before it is updated
    bool m_saves = false;                           // after the step that ends next, which nothing follows then
    std::string m_notFinite;                        // of the last step, as StepResult has it
    LossGuard m_lossGuard;
    bool m_toldOfMemory = false;
    int32_t m_rollBacks = 0;           // of this process
    plan::Plan m_plan;                 // no layers: there is none yet
    plan::Rig m_rig;                   // that it was made for
    std::vector<double> m_stepSeconds; // of all that this process has done, the warm-up first
    double m_hangSeconds = 0;          // as PipelineOptions'
    int32_t m_replicasBefore = 0;      // of the run that goes on
    MemoryShares m_memoryShares;
    bool m_announced = false;
    optim::Schedule m_schedule;
    runs::TrainingState m_state;
    int64_t m_totalSteps = 0;
    bool m_writesMetrics = true; // false: those of the last steps wait to be written
};

} // namespace roundpipe::engine
