// SPDX-License-Identifier: GPL-3.0-or-later
// What can be changed of a request that does not fit, and how.
#pragma once

#include "plan/remedies/fix.h"
#include "plan/search/model_choice.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace roundpipe::plan {

// A kind of change: the values that a request may take instead of its own, gentlest first, and how it takes one.
struct Change {
    FixKind kind;
    std::vector<int64_t> (*values)(const ModelRequest&);
    void (*make)(ModelRequest&, int64_t value);
};

std::span<const Change> allChanges(); // in the order in which they are offered
const Change& changeOf(FixKind kind);

// The request with such changes made, in this order.
ModelRequest withFixes(ModelRequest request, std::span<const Fix> fixes);

// What whoever makes such changes in a run's settings will ask for. Changes are tried by it alone, so that what is
// advised, followed, fits. A model without layers is given, and put back afterwards: nothing may ask for them.
using Following = std::function<ModelRequest(const ModelRequest& unchanged, std::span<const Fix> fixes)>;

} // namespace roundpipe::plan
