// SPDX-License-Identifier: GPL-3.0-or-later
// Measured times on disk: one file for each device, model and training shape, as JSON under
// $XDG_CACHE_HOME/roundpipe/profiles (~/.cache if unset).
#pragma once

#include "plan/cost/costs.h"
#include "plan/cost/training_shape.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::plan {

// What was measured for one device, model and shape.
struct DeviceProfile {
    std::string device;                      // deviceKey
    std::string model;                       // modelKey
    std::string shape;                       // shapeKey
    std::string source;                      // "profile", "run" or "run of other lengths"
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

// The text of such a file. Nothing where it is of another version. Throws kInvalidInput naming `file`.
std::optional<DeviceProfile> parseProfile(std::string_view text, const std::string& file);

// Forgets it; nothing happens where there is none. Throws kIo.
void removeProfile(const std::string& device, const std::string& model, const std::string& shape,
                   const std::filesystem::path& folder = profileFolder());

} // namespace roundpipe::plan
