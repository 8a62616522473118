// Measured times of layers, in the place of estimated ones. They are kept per device, model and training shape, as JSON
// under $XDG_CACHE_HOME/roundpipe/profiles (~/.cache if unset), one file each. `roundpipe profile` measures layers
// alone; a run's trace corrects what it met.
#pragma once

#include "plan/cost/costs.h"
#include "plan/cost/training_shape.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "trace/record.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::plan {

// What was measured for one device, model and shape.
struct DeviceProfile {
    std::string device;                      // deviceKey
    std::string model;                       // modelKey
    std::string shape;                       // shapeKey
    std::string source;                      // "profile" or "run"
    std::map<std::string, LayerTimes> kinds; // by layerKinds
    double upBytesPerSecond = 0;             // of long copies of page-locked memory; 0: not measured
    double downBytesPerSecond = 0;
};

// "RTX 4090" for "cuda:1 NVIDIA GeForce RTX 4090"; all CPU workers are "CPU worker".
std::string deviceKey(std::string_view name);
// What decides the work of a layer, in words; how many layers there are does not.
std::string modelKey(const arch::ModelConfig& config);
std::string shapeKey(const TrainingShape& shape);

std::filesystem::path profileFolder(); // need not exist
std::string toJson(const DeviceProfile& profile);

// Replaces what was there for the same device, model and shape; makes the folder. Throws kIo.
void saveProfile(const DeviceProfile& profile, const std::filesystem::path& folder = profileFolder());
// Nothing where there is none. Throws kInvalidInput naming the file for one that is damaged, kIo.
std::optional<DeviceProfile> loadProfile(const std::string& device, const std::string& model, const std::string& shape,
                                         const std::filesystem::path& folder = profileFolder());

// For a rig and a model: [device][layer], nothing where it was not measured.
struct MeasuredTimes {
    std::vector<std::vector<std::optional<LayerTimes>>> layers;
    std::vector<std::string> sources; // [device] "profile", "run", or empty
    int32_t numMeasured(std::size_t device) const;
    bool empty() const;
};
MeasuredTimes loadMeasured(const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig,
                           const std::filesystem::path& folder = profileFolder());

// Replaces the times of the measured layers. Others of the same device are scaled by what measured layers took
// together against their estimates.
void applyMeasured(Costs& costs, const MeasuredTimes& measured);
// "RTX 4090: all layers measured (profile). RTX 3090: estimated."
std::string describe(const MeasuredTimes& measured, const Rig& rig);

// What a run's compute records say of its layers: blocks scaled alike so that their stages' mean times fit, forward,
// recompute and backward each; the head gets what they leave of the fused stage. `estimated` are the costs of the run's
// rig; `firstStep`: records of earlier steps (warm-up) are left out. Devices that met too little are not in the result.
std::vector<DeviceProfile> profilesOfRun(std::span<const trace::Record> records, const Plan& plan,
                                         const Costs& estimated, const arch::ModelSpec& model,
                                         const TrainingShape& shape, const Rig& rig, int32_t firstStep);

} // namespace roundpipe::plan
