// SPDX-License-Identifier: GPL-3.0-or-later
// How many microbatches go through the pipeline together, and how large they are, where a run leaves that open.
#pragma once

#include "arch/layers.h"
#include "plan/rig/rig.h"
#include "plan/search/choose_plan.h"
#include "session/spec/run_shape.h"

namespace roundpipe::session {

inline constexpr int64_t kMostExamplesChosen = 128; // of a step whose size nobody said, see below

// The spec with numbers in batch.microbatches and batch.microbatch_size: its own, or where they are 0 chosen ones. Of a
// step that is said in tokens they are the fastest: plan::chooseForModel searches all ways to put its microbatches into
// rounds, of one example, two, three, four, six and so on, up to 32,768 tokens, where their size is open, too; one,
// where none fits, which takes the least memory. A size is chosen where the number is; else it is two. Of other steps
// the number decides what they hold, so that it is the fewest that keep the rig's devices busy: of four, and of one,
// two, four and so on for each device, it is the first that fits and that no larger step is worth leaving: 1 % faster
// for each doubling, or faster at all where it gives work to devices that have none (those that a glance,
// plan::glanceForModel, finds within 10 % of the best are searched in full); where none fits, four in the rounds that
// take the least (withLeastMemory). Fewer examples a step are the milder change of a training, so that larger steps
// must pay. Where devices differ, the rate of a step is the better one of one round and of rounds of one microbatch. On
// GPUs what is chosen then goes through in the rounds that are fastest for it, if they are faster than one by half a
// percent; rounds that the run says are kept. More than 128 examples a step are taken only up to four microbatches for
// each device: longer steps are ever faster where updates take long, but recipes of fine-tuning have no more, and an
// update that learns from more examples is no better for it. An epoch keeps sixteen updates at least, as far as four
// microbatches leave it so many. Rates are estimates, so that a run which is begun again has the number that it had,
// whatever was measured meanwhile. Throws as stepContentOf and plan::chooseForModel do, kCancelled among it.
RunSpec withMicrobatches(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                         const plan::SearchOptions& options = {});

// Of a step that is said in examples about as many, for whoever asks how fast it will be, in a part of the time: four
// for each device, or one, where that is faster, as a short host may have it; the fewest, where neither fits. By a
// glance, in one round or, where devices differ, in rounds of one microbatch.
RunSpec withAboutAsMany(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                        const plan::SearchOptions& options);

// With the number of those above that takes the least memory.
RunSpec withFewestMicrobatches(RunSpec spec);
// The same, in rounds of one where the rounds are open, too.
RunSpec withLeastMemory(RunSpec spec, const plan::Rig& rig);

} // namespace roundpipe::session
