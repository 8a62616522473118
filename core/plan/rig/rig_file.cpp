// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "base/units.h"
#include "plan/rig/rig_notation.h"
#include "plan/rig/rig_presets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace roundpipe::plan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int64_t kMaxFileBytes = 1 << 20;
constexpr double kMicro = 1e-6;
constexpr double kMaxNumber = 1e9; // of any key in its unit: keeps conversions within 64 bits

// One object of the file, with the keys that it may have. Errors name the file and the place ("devices[1].link").
class Object {
public:
    Object(const Json& json, std::string file, std::string place, std::initializer_list<const char*> keys)
        : m_json(json), m_file(std::move(file)), m_place(std::move(place)) {
        if (!json.is_object()) throw invalidInput(fmt::format("{}: {} should be an object.", m_file, where("")));
        for (const auto& [key, value] : json.items())
            if (std::ranges::none_of(keys, [&, &k = key](const char* known) { return k == known; }))
                throw unknown(key, keys);
    }

    const Json* find(const char* key) const {
        const auto found = m_json.find(key);
        return found == m_json.end() ? nullptr : &*found;
    }
    std::string where(const std::string& key) const {
        if (m_place.empty()) return key.empty() ? "the file" : "'" + key + "'";
        return "'" + m_place + (key.empty() ? "" : "." + key) + "'";
    }
    std::string placeOf(const std::string& key) const { return m_place.empty() ? key : m_place + "." + key; }
    const std::string& file() const { return m_file; }

    // The number times `unit`, `otherwise` if absent.
    void number(const char* key, double unit, double& into) const {
        const Json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_number() || std::abs(value->get<double>()) > kMaxNumber)
            throw bad(key, fmt::format("a number up to {:g}", kMaxNumber));
        into = value->get<double>() * unit;
    }
    void bytes(const char* key, int64_t& into) const {
        double value = static_cast<double>(into);
        number(key, static_cast<double>(kGiB), value);
        if (find(key) != nullptr) into = std::llround(value);
    }
    void flag(const char* key, bool& into) const {
        const Json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_boolean()) throw bad(key, "true or false");
        into = value->get<bool>();
    }
    std::string text(const char* key) const {
        const Json* value = find(key);
        if (value == nullptr) return {};
        if (!value->is_string()) throw bad(key, "a text");
        return value->get<std::string>();
    }
    int32_t count(const char* key, int32_t least, int32_t most) const {
        const Json* value = find(key);
        const bool fits =
            value != nullptr && value->is_number_integer() && value->get<int64_t>() >= least && *value <= most;
        if (!fits) throw bad(key, fmt::format("a whole number from {} to {}", least, most));
        return value->get<int32_t>();
    }
    void require(const char* key) const {
        if (find(key) == nullptr)
            throw invalidInput(fmt::format("{}: {} is missing.", m_file, where(key)),
                               "Give it, or start from a \"preset\".");
    }
    Error bad(const char* key, const std::string& expected) const {
        const Json* value = find(key);
        return invalidInput(fmt::format("{}: {} is {}, but should be {}.", m_file, where(key),
                                        value == nullptr ? "missing" : value->dump().substr(0, 80), expected));
    }

private:
    Error unknown(const std::string& key, std::initializer_list<const char*> keys) const {
        std::string known;
        for (const char* name : keys)
            known += (known.empty() ? "" : ", ") + std::string(name);
        return invalidInput(fmt::format("{}: the key {} is not known.", m_file, where(key)),
                            "Known there: " + known + ".");
    }

    const Json& m_json;
    std::string m_file;
    std::string m_place;
};

template <class Each>
void forEach(const Object& parent, const char* key, Each&& each) {
    const Json* list = parent.find(key);
    if (list == nullptr) return;
    if (!list->is_array()) throw parent.bad(key, "a list");
    for (std::size_t i = 0; i < list->size(); ++i)
        each((*list)[i], fmt::format("{}[{}]", parent.placeOf(key), i));
}

int32_t rootNamed(const Rig& rig, const Object& link) {
    const std::string name = link.text("root");
    for (std::size_t r = 0; r < rig.roots.size(); ++r)
        if (rig.roots[r].name == name) return static_cast<int32_t>(r);
    throw invalidInput(
        fmt::format("{}: {} is '{}', but no root complex has this name.", link.file(), link.where("root"), name),
        "Describe it under \"roots\".");
}

void readRoots(Rig& rig, const Object& file) {
    forEach(file, "roots", [&](const Json& json, const std::string& place) {
        const Object object(json, file.file(), place, {"name", "gb_per_s", "up_gb_per_s", "down_gb_per_s", "duplex"});
        object.require("name");
        RootComplex root;
        root.name = object.text("name");
        if (object.find("gb_per_s") == nullptr)
            for (const char* key : {"up_gb_per_s", "down_gb_per_s"})
                object.require(key);
        object.number("gb_per_s", kGiga, root.upBytesPerSecond);
        root.downBytesPerSecond = root.upBytesPerSecond;
        object.number("up_gb_per_s", kGiga, root.upBytesPerSecond);
        object.number("down_gb_per_s", kGiga, root.downBytesPerSecond);
        object.flag("duplex", root.duplex);
        if (std::ranges::any_of(rig.roots, [&](const RootComplex& other) { return other.name == root.name; }))
            throw invalidInput(
                fmt::format("{}: {} is the second of the name '{}'.", file.file(), object.where("name"), root.name));
        rig.roots.push_back(root);
    });
}

Link readLink(const Rig& rig, const Object& device, const DevicePreset* preset, int32_t numDevices) {
    Link link = preset != nullptr ? presetLink(*preset, numDevices) : Link{.latencySeconds = 10 * kMicro};
    const Json* json = device.find("link");
    if (json == nullptr) {
        if (preset == nullptr) device.require("link");
        return link;
    }
    const Object object(*json, device.file(), device.placeOf("link"),
                        {"pcie", "up_gb_per_s", "down_gb_per_s", "latency_us", "duplex", "root"});
    if (object.find("pcie") != nullptr) {
        const auto slot = parsePcieSlot(object.text("pcie"));
        if (!slot) throw object.bad("pcie", "a slot as \"4x16\" (generation 3 to 5, 4, 8 or 16 lanes)");
        link.upBytesPerSecond = link.downBytesPerSecond = pcieBytesPerSecond(*slot);
        if (preset != nullptr && preset->pcieGeneration > 0) link = presetLink(*preset, numDevices, slot);
    } else if (preset == nullptr) {
        object.require("up_gb_per_s");
        object.require("down_gb_per_s");
    }
    object.number("up_gb_per_s", kGiga, link.upBytesPerSecond);
    object.number("down_gb_per_s", kGiga, link.downBytesPerSecond);
    object.number("latency_us", kMicro, link.latencySeconds);
    object.flag("duplex", link.duplex);
    if (object.find("root") != nullptr) link.root = rootNamed(rig, object);
    return link;
}

DeviceSpec readDevice(const Object& object, const DevicePreset* preset) {
    DeviceSpec device = preset != nullptr ? preset->device : DeviceSpec{};
    if (preset == nullptr)
        for (const char* key : {"name", "memory_gib", "matrix_tflop_per_s", "memory_gb_per_s"})
            object.require(key);
    if (object.find("name") != nullptr) device.name = object.text("name");
    object.bytes("memory_gib", device.memoryBytes);
    object.number("matrix_tflop_per_s", kTera, device.matrixFlops);
    object.number("memory_gb_per_s", kGiga, device.memoryBytesPerSecond);
    object.flag("gpu", device.isGpu);
    if (object.find("multiprocessors") != nullptr)
        device.numMultiprocessors = object.count("multiprocessors", 1, std::numeric_limits<int32_t>::max());
    double computeCapability = device.computeCapability / 10.0;
    object.number("compute_capability", 1, computeCapability);
    device.computeCapability = static_cast<int32_t>(std::lround(10 * computeCapability));
    return device;
}

struct DeviceEntry {
    Object object;
    const DevicePreset* preset; // null: none
    std::size_t count;
};

std::vector<DeviceEntry> readEntries(const Object& file) {
    std::vector<DeviceEntry> entries;
    forEach(file, "devices", [&](const Json& json, const std::string& place) {
        Object object(json, file.file(), place,
                      {"preset", "count", "name", "memory_gib", "matrix_tflop_per_s", "memory_gb_per_s", "gpu",
                       "multiprocessors", "compute_capability", "link"});
        const DevicePreset* preset = object.find("preset") != nullptr ? &devicePreset(object.text("preset")) : nullptr;
        const int32_t count = object.find("count") != nullptr ? object.count("count", 1, kMaxEqualDevices) : 1;
        entries.push_back({std::move(object), preset, static_cast<std::size_t>(count)});
    });
    return entries;
}

void readPeers(Rig& rig, const Object& file) {
    forEach(file, "peers", [&](const Json& json, const std::string& place) {
        const Object object(json, file.file(), place, {"from", "to", "gb_per_s", "latency_us"});
        object.require("gb_per_s");
        PeerPath peer;
        peer.from = object.count("from", 0, rig.numDevices() - 1);
        peer.to = object.count("to", 0, rig.numDevices() - 1);
        peer.latencySeconds = 5 * kMicro;
        object.number("gb_per_s", kGiga, peer.bytesPerSecond);
        object.number("latency_us", kMicro, peer.latencySeconds);
        rig.peers.push_back(peer);
    });
}

void readHost(Rig& rig, const Object& file) {
    const Json* json = file.find("host");
    if (json == nullptr) return;
    const Object object(*json, file.file(), "host",
                        {"memory_gib", "pinned_gib", "memory_gb_per_s", "disk_free_gib", "disk_gb_per_s"});
    object.bytes("memory_gib", rig.host.memoryBytes);
    object.bytes("pinned_gib", rig.host.pinnedBytes);
    object.number("memory_gb_per_s", kGiga, rig.host.memoryBytesPerSecond);
    object.bytes("disk_free_gib", rig.host.diskBytes);
    object.number("disk_gb_per_s", kGiga, rig.host.diskBytesPerSecond);
}

Rig readRig(const Object& file) {
    Rig rig;
    rig.name = file.find("name") != nullptr ? file.text("name") : fs::path(file.file()).stem().string();
    readRoots(rig, file);
    const std::vector<DeviceEntry> entries = readEntries(file);
    std::vector<const DevicePreset*> presets;
    for (const DeviceEntry& entry : entries)
        presets.insert(presets.end(), entry.count, entry.preset);
    for (const DeviceEntry& entry : entries) {
        rig.devices.insert(rig.devices.end(), entry.count, readDevice(entry.object, entry.preset));
        rig.links.insert(rig.links.end(), entry.count,
                         readLink(rig, entry.object, entry.preset, static_cast<int32_t>(presets.size())));
    }
    readPeers(rig, file);
    rig.host = presetHost(presets);
    readHost(rig, file);
    return rig;
}

// Six digits: what a measurement is worth, and what a person can read.
double rounded(double value) {
    return std::stod(fmt::format("{:.6g}", value));
}

double gib(int64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

Json linkToJson(const Rig& rig, const Link& link) {
    Json json = {{"up_gb_per_s", rounded(link.upBytesPerSecond / kGiga)},
                 {"down_gb_per_s", rounded(link.downBytesPerSecond / kGiga)},
                 {"latency_us", rounded(link.latencySeconds / kMicro)},
                 {"duplex", link.duplex}};
    if (link.root >= 0) json["root"] = rig.roots[static_cast<std::size_t>(link.root)].name;
    return json;
}

} // namespace

Rig parseRigFile(std::string_view text, const std::string& nameForErrors) {
    const Json json = Json::parse(text, nullptr, false, true);
    if (json.is_discarded()) {
        const std::optional<JsonProblem> problem = findJsonProblem(text, true);
        throw invalidInput(fmt::format("{} is not valid JSON: {}.", nameForErrors, problem ? problem->text() : ""));
    }
    try {
        Rig rig = readRig(Object(json, nameForErrors, "", {"name", "devices", "roots", "peers", "host"}));
        validate(rig);
        return rig;
    } catch (const Error& error) {
        if (error.message().starts_with(nameForErrors)) throw;
        throw invalidInput(nameForErrors + ": " + error.message(), error.advice());
    }
}

Rig readRigFile(const fs::path& path) {
    return parseRigFile(readTextFile(path, kMaxFileBytes), path.string());
}

std::string rigToJson(const Rig& rig) {
    Json json = {{"name", rig.name}, {"devices", Json::array()}};
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const DeviceSpec& device = rig.devices[d];
        json["devices"].push_back({{"name", device.name},
                                   {"gpu", device.isGpu},
                                   {"memory_gib", gib(device.memoryBytes)},
                                   {"matrix_tflop_per_s", rounded(device.matrixFlops / kTera)},
                                   {"memory_gb_per_s", rounded(device.memoryBytesPerSecond / kGiga)},
                                   {"link", linkToJson(rig, rig.links[d])}});
        if (device.isGpu) json["devices"].back()["multiprocessors"] = device.numMultiprocessors;
        if (device.computeCapability > 0)
            json["devices"].back()["compute_capability"] = device.computeCapability / 10.0;
    }
    for (const RootComplex& root : rig.roots)
        json["roots"].push_back({{"name", root.name},
                                 {"up_gb_per_s", rounded(root.upBytesPerSecond / kGiga)},
                                 {"down_gb_per_s", rounded(root.downBytesPerSecond / kGiga)},
                                 {"duplex", root.duplex}});
    for (const PeerPath& peer : rig.peers)
        json["peers"].push_back({{"from", peer.from},
                                 {"to", peer.to},
                                 {"gb_per_s", rounded(peer.bytesPerSecond / kGiga)},
                                 {"latency_us", rounded(peer.latencySeconds / kMicro)}});
    json["host"] = {{"memory_gib", gib(rig.host.memoryBytes)},
                    {"pinned_gib", gib(rig.host.pinnedBytes)},
                    {"memory_gb_per_s", rounded(rig.host.memoryBytesPerSecond / kGiga)},
                    {"disk_free_gib", gib(rig.host.diskBytes)},
                    {"disk_gb_per_s", rounded(rig.host.diskBytesPerSecond / kGiga)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Rig loadRig(const std::string& pathOrNotation) {
    std::error_code ignored;
    const fs::path path(pathOrNotation);
    if (path.extension() == ".json" || fs::is_regular_file(path, ignored)) return readRigFile(path);
    return parseRig(pathOrNotation);
}

} // namespace roundpipe::plan
