// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/measured_times.h"

#include "plan/cost/layer_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace roundpipe::plan {
namespace {

double totalOf(const LayerTimes& times) {
    return times.forward + times.recompute + times.backward;
}

LayerTimes scaled(const LayerTimes& times, double factor) {
    return {factor * times.forward, factor * times.recompute, factor * times.backward,
            factor * times.output,  factor * times.gateUp,    times.unpack};
}

// Parts of the recompute were not measured: the shares of it that are estimated. Unpacking is in what a run saw, and
// was not in what was measured of single layers.
LayerTimes withParts(LayerTimes measured, const LayerTimes& estimated, bool ofSingleLayers) {
    if (ofSingleLayers) measured.unpack = estimated.unpack;
    if (estimated.recompute <= 0) return measured;
    measured.output = measured.recompute * estimated.output / estimated.recompute;
    measured.gateUp = measured.recompute * estimated.gateUp / estimated.recompute;
    return measured;
}

} // namespace

int32_t MeasuredTimes::numMeasured(std::size_t device) const {
    return static_cast<int32_t>(
        std::ranges::count_if(layers[device], [](const auto& times) { return times.has_value(); }));
}

bool MeasuredTimes::empty() const {
    for (std::size_t d = 0; d < layers.size(); ++d)
        if (numMeasured(d) > 0) return false;
    return true;
}

MeasuredTimes timesOf(std::span<const DeviceProfile> profiles, const arch::ModelSpec& model, const TrainingShape& shape,
                      const Rig& rig) {
    const std::vector<std::string> kinds = layerKinds(model, arch::trainedLayers(model, shape.trained()));
    MeasuredTimes measured;
    for (const DeviceSpec& device : rig.devices) {
        auto& layers = measured.layers.emplace_back(kinds.size());
        measured.sources.emplace_back();
        const auto profile = std::ranges::find(profiles, deviceKey(device.name), &DeviceProfile::device);
        if (profile == profiles.end()) continue;
        measured.sources.back() = profile->source;
        for (std::size_t l = 0; l < kinds.size(); ++l)
            if (const auto found = profile->kinds.find(kinds[l]); found != profile->kinds.end())
                layers[l] = found->second;
    }
    return measured;
}

MeasuredTimes loadMeasured(const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig,
                           const std::filesystem::path& folder) {
    std::vector<DeviceProfile> profiles;
    std::set<std::string> looked;
    for (const DeviceSpec& device : rig.devices) {
        const std::string key = deviceKey(device.name);
        if (!looked.insert(key).second) continue;
        if (auto profile = loadProfile(key, modelKey(model.config), shapeKey(shape), folder))
            profiles.push_back(std::move(*profile));
    }
    return timesOf(profiles, model, shape, rig);
}

void applyMeasured(Costs& costs, const MeasuredTimes& measured) {
    for (std::size_t d = 0; d < std::min(costs.times.size(), measured.layers.size()); ++d) {
        std::vector<LayerTimes>& times = costs.times[d];
        const auto& layers = measured.layers[d];
        double found = 0, estimated = 0;
        for (std::size_t l = 0; l < layers.size(); ++l)
            if (layers[l]) {
                found += totalOf(*layers[l]);
                estimated += totalOf(times[l]);
            }
        const double factor = found > 0 && estimated > 0 ? found / estimated : 1;
        for (std::size_t l = 0; l < layers.size(); ++l)
            times[l] = layers[l] ? withParts(*layers[l], times[l], measured.sources[d] == "profile")
                                 : scaled(times[l], factor);
    }
}

std::string describe(const MeasuredTimes& measured, const Rig& rig) {
    std::string text;
    for (std::size_t d = 0; d < measured.layers.size(); ++d) {
        const auto count = static_cast<std::size_t>(measured.numMeasured(d));
        const std::size_t all = measured.layers[d].size();
        const std::string which = count == all ? "all layers" : fmt::format("{} of {} layers", count, all);
        const std::string sentence =
            count == 0 ? fmt::format("{}: estimated.", rig.devices[d].name)
                       : fmt::format("{}: {} measured ({}).", rig.devices[d].name, which, measured.sources[d]);
        if (text.find(sentence) == std::string::npos)
            text += (text.empty() ? "" : " ") + sentence; // equal devices once
    }
    return text;
}

} // namespace roundpipe::plan
