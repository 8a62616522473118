// SPDX-License-Identifier: GPL-3.0-or-later
// What deserves a word of settings that are allowed all the same, said in the same words wherever a run is prepared or
// begins: on the window's pages, by the command line, as a run's first warnings.
#pragma once

#include "session/run_text.h"
#include "session/spec/run_shape.h"
#include "session/spec/run_spec_fields.h"

#include <optional>
#include <vector>

namespace roundpipe::session {

struct SpecRemark {
    RunText text;            // its last argument is the better value
    std::string field;       // "optimizer.learning_rate": what it is about
    FieldValue better;       // a value of this field with which nothing would be said
    std::size_t dataset = 0; // whose field it is, of those that each dataset has

    bool operator==(const SpecRemark&) const = default;
};

// A learning rate that is usual for the other method: adapters take ten times as much as a model's own weights, which
// forget at such a rate what they know; so do tables that are trained whole beside adapters.
std::optional<SpecRemark> remarkOnLearningRate(const RunSpec& spec);
// Examples that are longer than a model has positions: it has learned nothing of what stands beyond. `longestExample`:
// as training sees it, in tokens (LengthsSource::longest). Nothing where either is 0, not known.
std::optional<SpecRemark> remarkOnPositions(int64_t maxPositions, int64_t longestExample);
// Steps of so few examples, all of a length, that whole ones make them clearly larger and smaller in turn. Nothing
// where lengths are 0, not known.
std::optional<SpecRemark> remarkOnStep(const RunSpec& spec, const LengthsSource& lengths);
// Settings of the data that were made and change nothing, because another one keeps them from it: a piece's overlap
// where nothing is split.
std::vector<SpecRemark> remarksOnIdleData(const RunSpec& spec);
// All of these, settings of adapters where none is trained, and rounds where a step is said in tokens. A run that
// `goesOn` cannot be told to train one.
std::vector<SpecRemark> remarksOn(const RunSpec& spec, int64_t maxPositions, const LengthsSource& lengths,
                                  bool goesOn = false);

} // namespace roundpipe::session
