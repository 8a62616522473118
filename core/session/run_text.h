// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says, as codes with arguments: the window says it in its user's language.
#pragma once

#include "base/coded_text.h"

#include <array>

namespace roundpipe::session {

enum class RunTextCode {
    kNone,
    kAsSaid, // worded where it arose: the argument is the text
    // warnings
    kSimulated,
    kSimulatedAtSpeed, // and shown faster or slower than it was predicted
    kNoValidationRows,
    kTooLate,
    kMoreTokensThanRows,
    kAnswersWithoutEnd,
    kNotPageLocked,
    kMomentsConverted,
    kTightened,
    kPromptNotAnswered,
    kBaseNotAsked,
    kAnswerNotWritten,
    kCurvesNotWritten,
    kCheckpointNotWritten,
    kCheckpointNotRenewed,
    kCheckpointTooLarge,
    kCheckpointPassedOver,
    kCheckpointUnchecked,
    kStartsOver,
    kModelGone,
    kChangesAccepted,
    kStepSkipped,
    kLossSpike,
    kRolledBack,
    kEndsEarly,
    kEndedEarly,
    kTrainsOn,
    kKeptAside,
    kTraceLacks,
    kTraceEndsEarly,
    kDiskFull,
    kLittleRoom,
    kMakeRoom,
    kMemoryShort,
    kMachineSlept,
    kFolderMoved,
    kFolderGone,
    kBeyondPositions,
    kRateOfAdapters,
    kRateOfWeights,
    kRateOfAdaptersForTables,
    kOverlapIdle,
    kSubsetIdle,
    kPromptUseIdle,
    kMarkersIdle,
    kValidationShareIdle,
    kValidationRowsIdle,
    kWeightIdle,
    kAdapterIdle,
    kAdapterIdleFromBeginning,
    kRoundsIdle,
    kStepOfFewExamples,
    // what a simulated run says where there is no answer, and no file
    kSimulatedBaseAnswer,
    kSimulatedTunedAnswer,
    kNothingSaved,
};
constexpr std::array<const char*, 57> spellings(RunTextCode) {
    return {
        "",
        "%1",
        "This run is simulated for %1: times are what the planner predicts, nothing is trained, losses and answers "
        "are made up, nothing is saved.",
        "This run is simulated for %1 and shown %2 times as fast as the planner predicts: nothing is trained, losses "
        "and answers are made up, nothing is saved.",
        "There are no validation rows, so nothing was validated.",
        "'%1' came too late: the run is over.",
        "The tokenizer has %1 tokens, the model's embedding %2; a row that needs more will stop the run.",
        "Answers that end without a special token: %1. The model may not learn to stop.",
        "The system would not page-lock %1 of the weights, so GPUs copy them more slowly.",
        "The checkpoint has the optimizer's moments in %1. They are converted: the run goes on with %2.",
        "The memory of %1 ran out. The run goes on with a plan that takes %2 % of what is free there at most; no step "
        "is lost.",
        "A prompt was not answered.",
        "The base model was not asked: the run begins with other weights in the place of some of its own.",
        "An answer was not written down.",
        "The curves are not written for now; what they lack is tried again with each step.",
        "The checkpoint '%1' was not written after step %2; training goes on.",
        "The checkpoint '%1' was not written after step %2; the one before stays, and training goes on.",
        "A checkpoint takes %1 here, and '%2' has %3 free.",
        "A newer checkpoint is damaged and was passed over: %1",
        "The checkpoint '%1' was written by an older version: it has no checksums, and does not say which rows, model "
        "and settings it belongs to.",
        "The run was ended before its first checkpoint, so it starts from its beginning.",
        "The model in '%1' is gone. The run needs it no more: all weights are in its checkpoint, '%2'.",
        "The run goes on though something has changed since its checkpoint: %1",
        "Step %1 was skipped: values of its gradients (%2) are not finite, so nothing was updated.",
        "The loss has been more than twice its usual %1 for %2 steps. The learning rate may be too high; look at the "
        "rows of these steps.",
        "After step %1 the run went back to the weights of step %2, as it diverged. It goes on with the rows that "
        "follow.",
        "Validations without a lower loss: %1 in a row, so the run ends after step %2. The best one was %3: its "
        "weights "
        "are in '%4'.",
        "The run has ended early, after step %1 (validations without a lower loss: %2): nothing is trained now. To "
        "train it on, continue it (on the command line: --continue), or set duration.early_stop higher.",
        "The run had ended early, after step %1. It trains on, until so many more validations have no lower loss: %2.",
        "What stood in '%1' was not made by this run. It was kept as '%2'.",
        "The disk was too slow for the trace file, which lacks events: %1.",
        "The trace file ends early.",
        "The disk of '%1' has too little room, with %2 free: free some space.",
        "This run writes %1 at least, %2 a checkpoint, but '%3' has %4 free: free %5 more, or choose another folder.",
        "Free some space there.",
        "The machine's memory is nearly used up: programs wait for it, and %1 are left. Close some; if it gets worse, "
        "the run saves and ends.",
        "The machine has slept for %1. The run goes on after step %2.",
        "The run's folder '%1' was moved while it trains: it is '%2' now, and the run goes on there.",
        "The run's folder '%1' was removed or emptied while it trains, with what was saved in it. The run goes on in "
        "'%2', and saves there from now on.",
        "The longest example has %1 tokens, the model %2 positions: it has never learned what stands beyond them, "
        "and learns it badly. Set data.max_length to %2.",
        "A learning rate of %1 is one for adapters: with method full it can undo what the model knows. Usual are "
        "0.00001 to %2; set optimizer.learning_rate to %2.",
        "A learning rate of %1 is one for method full: an adapter hardly learns with it. Usual are 0.0001 to "
        "0.0005; set optimizer.learning_rate to %2.",
        "A learning rate of %1 is one for adapters alone: an embedding or head that is trained whole can lose with it "
        "what it knows. Usual for both are 0.00003 to 0.0001; set optimizer.learning_rate to %2.",
        "data.overlap has no effect because longer rows are not split: data.over_length is '%1'. Set data.over_length "
        "to 'split', or data.overlap to %2.",
        "data.subset has no effect because all rows are taken: data.max_rows is 0. Set it to a number of rows, or "
        "data.subset to '%1'.",
        "data.system_prompt_use has no effect because data.system_prompt is empty. Give it words, or set "
        "data.system_prompt_use to '%1'.",
        "data.turn_begin and data.turn_end have no effect because everything is trained: data.train_on is 'all'. Set "
        "data.train_on to '%1', or leave both empty.",
        "data.validation_fraction has no effect because data.validation_file has the rows to validate on. Take out one "
        "of the two; without a file data.validation_fraction is %1.",
        "data.max_validation_rows has no effect because no rows are split off to validate on. Left out, it is %1.",
        "data.share_amount has no effect because no other dataset has a weight. Set data.share to 'epochs', or "
        "data.share_amount to %1.",
        "%1 has no effect because no adapter is trained, but all weights: method is 'full'. Set method to 'lora', or "
        "%1 to '%2'.",
        "%1 has no effect: the run was begun with method 'full', trains all weights and no adapter, and keeps its "
        "method. Take it out (it is '%2' then), or begin a run of its own with method 'lora' from what this one has "
        "made (on the command line: --start-from).",
        "batch.rounds has no effect because batch.tokens_per_step says what a step holds: it has the rounds that this "
        "takes. Set batch.tokens_per_step to 0, or batch.rounds to %1.",
        "A step holds whole examples, of %1 tokens each: %2 tokens are what steps have on average, some more and some "
        "less. Set batch.tokens_per_step to %3.",
        "(simulated) What the base model answers stands here.",
        "(simulated) What the tuned model would answer after step %1 stands here.",
        "(simulated) nothing is written"};
}
using RunText = CodedText<RunTextCode>;

} // namespace roundpipe::session
