// SPDX-License-Identifier: GPL-3.0-or-later
// Measured times of layers, in the place of estimated ones: those that the profiles of a rig's devices have.
// `roundpipe profile` measures layers alone; a run's trace corrects what it met.
#pragma once

#include "plan/cost/profile_store.h"
#include "plan/rig/rig.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::plan {

// For a rig and a model: [device][layer], nothing where it was not measured.
struct MeasuredTimes {
    std::vector<std::vector<std::optional<LayerTimes>>> layers;
    std::vector<std::string> sources; // [device] "profile", "run", or empty
    int32_t numMeasured(std::size_t device) const;
    bool empty() const;
};
// Of these profiles, which are of one model and shape.
MeasuredTimes timesOf(std::span<const DeviceProfile> profiles, const arch::ModelSpec& model, const TrainingShape& shape,
                      const Rig& rig);
// Of those in `folder`. Throws as loadProfile does.
MeasuredTimes loadMeasured(const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig,
                           const std::filesystem::path& folder = profileFolder());

// Replaces the times of the measured layers. Others of the same device are scaled by what measured layers took
// together against their estimates.
void applyMeasured(Costs& costs, const MeasuredTimes& measured);
// "RTX 4090: all layers measured (profile). RTX 3090: estimated."
std::string describe(const MeasuredTimes& measured, const Rig& rig);

} // namespace roundpipe::plan
