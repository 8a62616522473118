// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked about a run before anything is loaded, and the answer: stages, memories and the predicted step; where
// nothing fits, what would help. All plain values.
#pragma once

#include "arch/model_outline.h"
#include "plan/compare/rivals.h"
#include "plan/remedies/fix.h"
#include "session/spec/export_remark.h"
#include "session/spec/run_shape.h"
#include "trace/record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace roundpipe::session {

struct PlanQuestion {
    RunSpec spec; // of which model, batch, lora, engine and data.max_length count
    RunLengths lengths;
    // The cuts that are on show, where the spec gives none: answered first, within milliseconds (of when microbatches
    // are chosen, where the spec leaves them open), until better ones are known. Left out where they are of another
    // model or number of devices.
    std::optional<plan::Plan> shown;
    std::vector<WeightFormat> otherWeights; // beside the spec's, of which the fastest is found
    // Microbatches and rounds are the fastest that divide the average step's examples, not those that the spec says.
    bool choosesMicrobatches = false;
    plan::EngineAbilities engine; // of the engine that will run it
    bool usesMeasured = true;     // times of layers that were measured on such devices
    bool seeksBetter = true;      // stages than those that the spec gives
    bool showsSmallest = false;   // where nothing fits: the plan of the least memory, which `problem` is of
    bool compares = false;        // with other schedules on the same microbatches, where not too many to be replayed
    bool wantsTimeline = false;
};

// On the first device.
struct PlannedLayer {
    std::string name;           // "block 7"
    double forwardSeconds = 0;  // of a microbatch
    double backwardSeconds = 0; // the recompute included; 0 below the first that is trained
    int64_t weightBytes = 0;    // on the device
};

struct PlannedStage {
    plan::Stage stage;
    std::vector<int32_t> devices; // that take it sooner or later
    double seconds = 0;           // of a microbatch on the first of them
    int64_t weightBytes = 0;      // on the device
    int64_t uploadBytes = 0;      // a turn, on the first of them
    int32_t numResident = 0;      // layers whose base stays on the first of them
    plan::SavedOtherwise saved;   // by it, or what it finds in host memory
};

// Simulated steps on the lanes of trace::makeLanes, with a marker for each, in simulated nanoseconds.
struct PredictedTimeline {
    std::vector<trace::Lane> lanes;
    std::vector<trace::Record> records;
    int64_t steadyFromNs = 0; // of a step in steady state, or of two where steps flow into each other
    int64_t steadyToNs = 0;
};

struct BetterCuts {
    plan::Plan plan;
    double stepSeconds = 0;
    double tokensPerSecond = 0;
};

struct PlanAnswer {
    arch::ModelOutline model;
    std::vector<ExportRemark> refusals; // of what the run would leave, by other programs
    plan::Rig rig;
    LengthsSource lengthsFrom;
    bool choseMicrobatches = false; // how many, as the spec left it open (chosen_microbatches.h)
    int64_t microbatchSize = 0;     // examples, as the spec left that open; 0: it says so itself
    bool choseRounds = false;       // these, too, as the step is said in tokens: the fastest that do it
    std::string timesFrom;          // which devices' times are measured, in a sentence; empty: none was asked for

    // Some of the layers' times are; two answers that differ in it say nothing of each other's times.
    bool isMeasured = false;

    bool hasPlan = false; // false: nothing fits, none was to be shown, and only `problem` and what would help are known
    plan::TrainingShape training;
    plan::EvaluatedPlan choice;
    std::vector<PlannedLayer> layers;
    std::vector<PlannedStage> stages;
    int64_t tokensPerStep = 0;
    double tokensPerSecond = 0;
    std::vector<std::string> explanation; // of what the planner chose, a sentence for each decision
    std::shared_ptr<const PredictedTimeline> timeline;

    plan::Misfit problem;             // why nothing, or not the given plan, fits; empty: it does
    std::vector<plan::Fix> fixes;     // what would help where nothing fits, each alone
    std::vector<plan::Fix> together;  // settings that help together: where none does alone, or faster; where nothing
                                      // does, anything; where memory does, fewer bits and less of it
    std::optional<plan::Fix> faster;  // a setting of the step that makes it so, and is no worse in anything else
    std::optional<BetterCuts> better; // than the given stages
    std::vector<plan::Rival> rivals;
};

// The spec with the microbatches of the answer's plan, where it leaves them open and there is one.
RunSpec asPlanned(RunSpec spec, const PlanAnswer& answer);

// All steps of such a run at the planned time of one; nothing where their number is not known, or there is no plan.
// Throws kInvalidInput as stepsOf does.
std::optional<double> wholeSecondsOf(const RunSpec& spec, const PlanAnswer& answer, const RunLengths& lengths);

// Runs of one such text have one plan, whatever else differs in them.
std::string planKeyOf(RunSpec spec);

// Everything that is known of the answer so far.
using AnswerCallback = std::function<void(const PlanAnswer&)>;

// Reads the model's config.json and measured times. `progress` has given stages within milliseconds; what takes longer
// (better ones, fixes, other schedules) comes one after the other, the whole is returned. What fits nowhere is answered
// too. Throws kInvalidInput for a wrong spec, and where model, rig and step contradict each other; kCancelled.
PlanAnswer answer(const PlanQuestion& question, const plan::Rig& rig, const AnswerCallback& progress = {},
                  std::stop_token stop = {});

} // namespace roundpipe::session
