// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/plan_notes.h"

#include "arch/model_config.h"
#include "arch/text_part.h"
#include "base/error.h"
#include "plan/cost/device_rates.h"
#include "plan/rig/rig_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roundpipe::session {
namespace {

// Of published runs of the method's Python library over our predictions of the same steps, on one RTX 4090
// (tests/bench/RESULTS.md): 0.83, 1.12 and 1.28 of dense models, 0.71 and 0.67 of mixtures of experts, which that
// library computes expert by expert.
constexpr double kLeastDense = 0.8, kMostDense = 1.4;
constexpr double kLeastSparse = 0.6, kMostSparse = 1.15; // ours were 0.73 to 1.09 on an H100 and an H200
constexpr double kLeastPacked = 0.85; // times these: unpacking was measured on an H100 alone, 2 % faster than predicted
constexpr double kLeastFp8 = 0.7;     // " where GPUs multiply in FP8: an H100 did as predicted, GeForce was not tried
constexpr const char* kMeasuredPreset = "h200";

// Models whose longest sequences were published for that library, one sequence a microbatch, on 24 GB.
struct PublishedLength {
    double parameters;
    bool trainsBase;
    int64_t tokens;
};
constexpr PublishedLength kPublished[] = {{1.72e9, true, 74'752},
                                          {8.03e9, true, 50'176},
                                          {20.9e9, true, 39'936},
                                          {32.8e9, true, 28'672},
                                          {235.1e9, false, 31'744}};
// The one whose published speed lies below the band.
struct PublishedSpeed {
    double parameters;
    std::size_t numDevices;
    int64_t tokensPerSecond;
};
constexpr PublishedSpeed kSlow = {235.1e9, 8, 1'820};
constexpr const char* kPublishedOn = "4090";

bool isAbout(const PlanAnswer& answer, double parameters) {
    return std::abs(static_cast<double>(answer.model.numParameters) - parameters) < 0.01 * parameters;
}

bool isOnPublishedDevices(const PlanAnswer& answer) {
    return std::ranges::all_of(answer.rig.devices, [](const plan::DeviceSpec& device) {
        return device.name == plan::devicePreset(kPublishedOn).device.name;
    });
}

bool hasRatesOf(const plan::DeviceSpec& device, const plan::DeviceSpec& preset) {
    return device.name == preset.name && device.matrixFlops == preset.matrixFlops;
}

// Rates of a preset that nobody has measured; others were measured, or somebody has written them down.
bool isAssumed(const plan::DeviceSpec& device) {
    return std::ranges::any_of(plan::devicePresets(), [&](const plan::DevicePreset& preset) {
        return device.isGpu && preset.key != kMeasuredPreset && hasRatesOf(device, preset.device);
    });
}

bool multipliesFp8(const PlanAnswer& answer) {
    return answer.training.weights == WeightFormat::kFp8 &&
           std::ranges::any_of(answer.rig.devices, [&](const plan::DeviceSpec& device) {
               return plan::multipliesFp8(device, answer.training.operandType);
           });
}

std::optional<std::string> noteOnTraining(const PlanQuestion& question) {
    try {
        if (question.spec.method == Method::kFull)
            arch::requireWholeTrainable(arch::readModelConfig(question.spec.model.path));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kUnsupported) throw;
        return error.message() + " This plan is of an engine that can.";
    }
    return std::nullopt;
}

std::optional<std::string> noteOnPictures(const PlanQuestion& question) {
    if (!arch::isTextPartAlone(arch::readModelConfig(question.spec.model.path))) return std::nullopt;
    return "Of this model the text part alone is trained. What sees pictures is not loaded, and stays as it is.";
}

std::optional<std::string> noteOnRates(const PlanAnswer& answer) {
    const std::optional<RateBand> band = rateBand(answer);
    if (!band) return std::nullopt;
    std::string rests = "the devices' rates are assumed";
    if (answer.model.numExperts > 0)
        rests +=
            ", mixtures of experts took 0.9 to 1.4 times as long as predicted on the GPUs (H100, H200) that ran them";
    if (isPacked(answer.training.weights)) rests += ", packed weights were measured on an H100 alone";
    return fmt::format("Expect {:.0f} to {:.0f} tokens/s: {}, and published runs of the method's Python library were "
                       "that far from such predictions. `roundpipe profile` measures.",
                       band->least, band->most, rests);
}

// Why the band leaves out what is known of the same step.
std::optional<std::string> noteOnSpeed(const PlanAnswer& answer) {
    const std::optional<RateBand> band = rateBand(answer);
    const bool isKnown = isAbout(answer, kSlow.parameters) && !answer.training.trainsBase &&
                         isOnPublishedDevices(answer) && answer.rig.devices.size() == kSlow.numDevices;
    if (!isKnown || !band || band->least <= static_cast<double>(kSlow.tokensPerSecond)) return std::nullopt;
    return fmt::format(
        "For the method's Python library {} tokens/s are published for this model on {} such GPUs. That "
        "is no bound of the hardware: it computes a layer's experts one after another in a loop, 43.0 ms "
        "forward, and {} GPUs were 3.8 times as fast as one. This plan has the experts computed together.",
        kSlow.tokensPerSecond, kSlow.numDevices, kSlow.numDevices);
}

// Where what fits here and what was published for the same model and GPU are on different sides of the length asked
// for.
std::optional<std::string> noteOnLength(const PlanAnswer& answer) {
    const auto published = std::ranges::find_if(kPublished, [&](const PublishedLength& known) {
        return known.trainsBase == answer.training.trainsBase && isAbout(answer, known.parameters);
    });
    if (!isOnPublishedDevices(answer) || published == std::end(kPublished)) return std::nullopt;
    const bool fits = answer.problem.empty(), wasReached = answer.training.maxLength <= published->tokens;
    if (fits == wasReached) return std::nullopt;
    const int64_t sequences = answer.training.sequences;
    const std::string how = !fits && sequences > 1 ? fmt::format(" with {} a microbatch", sequences) : "";
    return fmt::format(
        "For the method's Python library {} tokens are published as the longest sequence of this model on "
        "such GPUs, one a microbatch; here {} {}{}. Ours is counted before a run, with the driver's share and "
        "what a step holds at its fullest; theirs was found by trying.",
        published->tokens, answer.training.maxLength, fits ? "fit" : "do not fit", how);
}

} // namespace

std::optional<RateBand> rateBand(const PlanAnswer& answer) {
    const bool runs = answer.hasPlan && answer.problem.empty();
    const bool rests = runs && !answer.isMeasured && std::ranges::any_of(answer.rig.devices, isAssumed);
    if (!rests || answer.tokensPerSecond <= 0) return std::nullopt;
    const bool isSparse = answer.model.numExperts > 0;
    double least = isSparse ? kLeastSparse : kLeastDense;
    if (isPacked(answer.training.weights)) least *= multipliesFp8(answer) ? kLeastFp8 : kLeastPacked;
    return RateBand{answer.tokensPerSecond * least, answer.tokensPerSecond * (isSparse ? kMostSparse : kMostDense)};
}

std::vector<std::string> notesOn(const PlanQuestion& question, const PlanAnswer& answer) {
    std::vector<std::string> notes;
    for (auto& note : {noteOnTraining(question), noteOnPictures(question), noteOnRates(answer), noteOnSpeed(answer),
                       noteOnLength(answer)})
        if (note) notes.push_back(*note);
    return notes;
}

} // namespace roundpipe::session
