// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kept_times.h"

#include "base/log.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/run_profile.h"
#include "plan/search/model_choice.h"
#include "plan/search/nearest_times.h"
#include "session/spec/run_shape.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace roundpipe::engine {
namespace {

constexpr const char* kOtherLengths = "run of other lengths";

// What a plan asks for that has not read the data; nothing where it would be refused.
std::optional<plan::TrainingShape> assumedShape(const session::RunSpec& spec, bool onGpusOnly) {
    try {
        return session::trainingShapeOf(spec, session::stepContentOf(spec, {}), onGpusOnly);
    } catch (const Error&) {
        return std::nullopt;
    }
}

double medianOfLater(std::vector<double> seconds) {
    const auto middle = seconds.begin() + 1 + (std::ssize(seconds) - 1) / 2;
    std::nth_element(seconds.begin() + 1, middle, seconds.end());
    return *middle;
}

// For plans that know the data's lengths, and for those that assume them, unless something was measured for these.
void keepFactors(const MeasuredRun& run, const plan::ModelRequest& ran,
                 const std::vector<std::optional<plan::RunFactors>>& factors) {
    std::vector<plan::DeviceProfile> profiles = plan::profilesOfRun(factors, run.model, ran.training, ran.rig);
    if (profiles.empty()) return;
    const plan::NearestTimes nearest = plan::nearestTimes(ran, profiles, medianOfLater(run.stepSeconds));
    if (const auto assumed = assumedShape(run.spec, run.onGpusOnly))
        for (plan::DeviceProfile& profile : plan::profilesOfRun(factors, run.model, *assumed, ran.rig)) {
            const auto known = plan::loadProfile(profile.device, profile.model, profile.shape);
            if (profile.shape == plan::shapeKey(ran.training) || (known && known->source != kOtherLengths)) continue;
            profile.source = kOtherLengths;
            profiles.push_back(std::move(profile));
        }
    for (const plan::DeviceProfile& profile : profiles)
        if (nearest == plan::NearestTimes::kRun)
            plan::saveProfile(profile);
        else if (nearest == plan::NearestTimes::kEstimates)
            plan::removeProfile(profile.device, profile.model, profile.shape);
}

} // namespace

void keepTimes(const MeasuredRun& run, RunTrace& trace) {
    try {
        plan::ModelRequest ran = session::planRequestOf(run.spec, run.model, run.rig, run.content);
        ran.given = run.plan;
        plan::TrainingShape measured = ran.training; // a plan has whole microbatches, the run had some more or fewer
        measured.averageSequences = run.content.examplesInEach(run.content.average.microbatches);
        std::vector<std::optional<plan::RunFactors>> factors;
        trace.lookAtFirst([&](std::span<const trace::Record> records) {
            factors =
                plan::factorsOfRun(records, run.plan, plan::modelCosts(run.model, measured, run.rig), run.firstStep);
        });
        keepFactors(run, ran, factors);
    } catch (const Error& error) {
        log::warning("The measured times of layers were not kept: " + error.message());
    }
}

} // namespace roundpipe::engine
