// SPDX-License-Identifier: GPL-3.0-or-later
// The last steps of a search among unequal devices: a good plan made better, one small change after another.
//
// What a search of cuts comes upon there is luck: each slot goes to the device that ends it first, and a layer more in
// one stage changes who that is for all that follow. From a few good plans on the same small changes lead to plans that
// are about as good, whichever of them was found.
#pragma once

#include "plan/search/evaluated_plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace roundpipe::plan {

// Where to begin: the best plan of each number of stages, to a power of two, with and without saving in host memory.
class PolishStarts {
public:
    void add(const EvaluatedPlan& found);
    std::vector<EvaluatedPlan> best() const; // a few that take little longer than the best, which comes first

private:
    std::map<std::pair<int, bool>, EvaluatedPlan> m_best;
};

// `found` with cuts moved, stages merged and split, other devices for slots, and more or less of its blocks in host
// memory, as long as the estimate of a step gets shorter or until the effort is spent, in microbatch-slots looked at.
// It fits. Nothing where no change helps.
std::optional<Plan> polished(const EvaluatedPlan& found, const Rig& rig, const Costs& costs,
                             const SearchOptions& options, int64_t effort);

} // namespace roundpipe::plan
