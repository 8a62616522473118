// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/profile_store.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json_problem.h"
#include "base/user_folders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>

namespace roundpipe::plan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 2; // another one where layers come to take other times: what was measured before is forgotten
constexpr int64_t kMaxFileBytes = 1 << 20;
constexpr int kDeepest = 10; // brackets within brackets

fs::path fileOf(const std::string& device, const std::string& model, const std::string& shape, const fs::path& folder) {
    std::string slug;
    for (const char c : device)
        slug += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return folder / fmt::format("{}-{:016x}.json", slug, hashName(device + "|" + model + "|" + shape));
}

Json jsonOf(const DeviceProfile& profile) {
    Json json = {{"version", kVersion},    {"device", profile.device}, {"model", profile.model},
                 {"shape", profile.shape}, {"source", profile.source}, {"kinds", Json::object()}};
    for (const auto& [kind, times] : profile.kinds)
        json["kinds"][kind] = {
            {"forward_s", times.forward}, {"recompute_s", times.recompute}, {"backward_s", times.backward}};
    json["up_bytes_per_s"] = profile.upBytesPerSecond;
    json["down_bytes_per_s"] = profile.downBytesPerSecond;
    return json;
}

double secondsAt(const Json& json, const char* key) {
    const double value = json.at(key).get<double>();
    if (!std::isfinite(value) || value < 0) throw invalidInput(fmt::format("'{}' is {}", key, value));
    return value;
}

DeviceProfile fromJson(const Json& json) {
    DeviceProfile profile;
    profile.device = json.at("device").get<std::string>();
    profile.model = json.at("model").get<std::string>();
    profile.shape = json.at("shape").get<std::string>();
    profile.source = json.at("source").get<std::string>();
    for (const auto& [kind, times] : json.at("kinds").items())
        profile.kinds[kind] = {secondsAt(times, "forward_s"), secondsAt(times, "recompute_s"),
                               secondsAt(times, "backward_s")};
    profile.upBytesPerSecond = secondsAt(json, "up_bytes_per_s");
    profile.downBytesPerSecond = secondsAt(json, "down_bytes_per_s");
    return profile;
}

// Two digits, so that a few more rows don't make another shape.
std::string rounded(double value) {
    return fmt::format("{:.2g}", value);
}

} // namespace

std::string deviceKey(std::string_view name) {
    std::string key(name);
    if (key.starts_with("cpu") || key.starts_with("CPU")) return "CPU worker";
    if (key.starts_with("cuda:")) key.erase(0, std::min(key.find(' '), key.size() - 1) + 1);
    for (const std::string_view prefix : {"NVIDIA ", "GeForce "})
        if (key.starts_with(prefix)) key.erase(0, prefix.size());
    return key;
}

std::string modelKey(const arch::ModelConfig& config) {
    std::string key = fmt::format("{}, hidden {}, intermediate {}, {} heads, {} key/value heads of {}, vocabulary {}",
                                  config.architecture, config.hiddenSize, config.intermediateSize, config.numHeads,
                                  config.numKvHeads, config.headDim, config.vocabSize);
    if (config.experts.count > 0)
        key += fmt::format(", {} of {} experts of {}", config.experts.perToken, config.experts.count,
                           config.experts.intermediateSize);
    if (config.experts.sharedSize > 0) key += fmt::format(" and one of {}", config.experts.sharedSize);
    return key;
}

std::string shapeKey(const TrainingShape& shape) {
    std::string trained = shape.trainsBase ? "all weights"
                                           : fmt::format("rank {} on {}, dropout {}", shape.lora.rank,
                                                         fmt::join(shape.lora.targets, " "), shape.lora.dropout);
    if (!shape.trainsBase && !shape.lora.modulesToSave.empty())
        trained += fmt::format(", whole {}", fmt::join(shape.lora.modulesToSave, " "));
    return fmt::format("on average {} x {} tokens, {} of them trained, {}, {}, {}", rounded(shape.usualSequences()),
                       rounded(shape.lengthOfSequences()), rounded(shape.trainedShare), toString(shape.operandType),
                       trained, shape.deterministic ? "strict" : "fast") +
           (isPacked(shape.weights) ? fmt::format(", base {}", spellingOf(shape.weights)) : std::string());
}

fs::path profileFolder() {
    return userCacheFolder() / "profiles";
}

std::string toJson(const DeviceProfile& profile) {
    return jsonOf(profile).dump(2, ' ', false, Json::error_handler_t::replace);
}

void saveProfile(const DeviceProfile& profile, const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        throw Error(ErrorKind::kIo, fmt::format("Can't make the folder '{}': {}.", folder.string(), failed.message()));
    writeFileAtomically(fileOf(profile.device, profile.model, profile.shape, folder), toJson(profile) + "\n");
}

void removeProfile(const std::string& device, const std::string& model, const std::string& shape,
                   const fs::path& folder) {
    const fs::path file = fileOf(device, model, shape, folder);
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) throw ioError("remove", file, failed.value());
}

std::optional<DeviceProfile> parseProfile(std::string_view text, const std::string& file) {
    const auto damaged = [&](const std::string& problem) {
        return invalidInput(fmt::format("The profile '{}' is damaged: {}.", file, problem),
                            "Delete it and measure again with 'roundpipe profile'.");
    };
    if (isNestedDeeper(text, kDeepest)) throw damaged(fmt::format("it is nested more than {} deep", kDeepest));
    try {
        const Json json = Json::parse(text);
        if (json.at("version") != kVersion) return std::nullopt; // of another release
        return fromJson(json);
    } catch (const Json::exception& error) {
        throw damaged(wordsForJsonError(error.id, error.what(), text));
    } catch (const Error& error) {
        throw damaged(error.message());
    }
}

std::optional<DeviceProfile> loadProfile(const std::string& device, const std::string& model, const std::string& shape,
                                         const fs::path& folder) {
    const fs::path file = fileOf(device, model, shape, folder);
    std::error_code unreadable;
    if (!fs::exists(file, unreadable)) return std::nullopt;
    std::optional<DeviceProfile> profile = parseProfile(readTextFile(file, kMaxFileBytes), file.string());
    const bool same = profile && profile->device == device && profile->model == model && profile->shape == shape;
    return same ? std::move(profile) : std::nullopt; // else two keys with one hash
}

} // namespace roundpipe::plan
