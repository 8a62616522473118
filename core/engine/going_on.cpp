// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/going_on.h"

#include "base/counted.h"
#include "runs/changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace roundpipe::engine {

void requireSameTensors(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec) {
    const std::vector<std::string> run = runs::changedRun(checkpoint);
    const std::string ofAnother = run.empty() ? "" : run.front() + " ";
    const bool hasAdapter = std::filesystem::exists(checkpoint.folder / "adapter_config.json");
    const Method before = hasAdapter ? Method::kLora : Method::kFull;
    if (before != spec.method)
        throw invalidInput(fmt::format("{}The run was begun with method {}, and is to go on with {}.", ofAnother,
                                       spellingOf(before), spellingOf(spec.method)),
                           "Resume with the same settings, or begin a run from what it made.");
    if (const std::vector<std::string> changes = runs::changedTensors(checkpoint, spec); !changes.empty())
        throw invalidInput(
            fmt::format("The run cannot go on with what it has trained. {}{}", ofAnother, fmt::join(changes, " ")),
            "Put back what has changed, or begin a run of its own.");
}

std::vector<std::string> acceptableChanges(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec) {
    std::vector<std::string> changes = runs::changedSettings(checkpoint, spec);
    std::ranges::copy(runs::changedRun(checkpoint), std::inserter(changes, changes.begin()));
    if (!checkpoint.state.fingerprint && checkpoint.state.seed != spec.seed)
        changes.insert(changes.begin(), fmt::format("'seed' was {} and is {}.", checkpoint.state.seed, spec.seed));
    return changes;
}

void requireSteps(int64_t done, int64_t total) {
    if (done > total)
        throw invalidInput(fmt::format("The run has done {} already, and is to have {}.", counted(done, "step"), total),
                           "Give it more steps (duration.max_steps, duration.epochs), or leave it as it is.");
}

Error notAsItBegan(const std::vector<std::string>& changes) {
    return invalidInput(fmt::format("The run would not go on as it began. {}", fmt::join(changes, " ")),
                        "Put back what has changed, accept it (on the command line: --accept-changes), or begin a run "
                        "of its own.");
}

} // namespace roundpipe::engine
