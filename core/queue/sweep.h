// SPDX-License-Identifier: GPL-3.0-or-later
// A grid over settings: a run for each combination of their values.
#pragma once

#include "queue/run_queue.h"
#include "session/spec/run_spec_fields.h"

#include <string>
#include <vector>

namespace roundpipe::queue {

// "optimizer.learning_rate=1e-4,2e-4", by key or option ("--rank=8,16"). Lists among the values are one after the other
// with "+" between ("lora.targets=q_proj+v_proj,q_proj").
struct SweptField {
    const session::Field* field = nullptr;
    std::vector<session::FieldValue> values;
};
SweptField sweptFieldOf(const std::string& text); // throws kInvalidInput, naming the field and the value

// The settings that a grid may have: what names a run, where its results go and the file's format are its own.
std::vector<const session::Field*> sweepableFields();

// What a run is called where nobody says it: as its model's folder.
std::string nameOf(const QueuedRun& run);

// A run for each combination, the last field's values next to each other, named "NAME, Rank 8, Learning rate 0.0001".
// Throws kInvalidInput where a combination is no run (session::validate), naming it, a field is none of those above,
// it or a value stands twice, or there are more than kMostRuns.
inline constexpr std::size_t kMostRuns = 1000;
std::vector<QueuedRun> sweepOf(const QueuedRun& base, const std::vector<SweptField>& fields);

} // namespace roundpipe::queue
