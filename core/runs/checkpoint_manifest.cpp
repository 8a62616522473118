// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/checkpoint_manifest.h"

#include "base/content_hash.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "runs/training_state.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

fs::path manifestOf(const fs::path& checkpoint) {
    return checkpoint / kManifestFile;
}

struct SealedFile {
    std::string name;
    int64_t bytes = 0;
    std::string hash;
};

std::vector<SealedFile> readManifest(const fs::path& file) {
    const std::string text = readTextFile(file, int64_t{1} << 24);
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (json.at("version") != kVersion)
            throw invalidInput("'" + file.string() + "' is of another version of the program.");
        std::vector<SealedFile> files;
        for (const auto& [name, entry] : json.at("files").items()) {
            if (fs::path(name).filename() != name)
                throw invalidInput("'" + file.string() + "' names a file outside of its folder.");
            files.push_back({name, wholeNumberAt(entry, "bytes"), entry.at("xxh3").get<std::string>()});
        }
        return files;
    } catch (const nlohmann::json::exception&) {
        throw invalidInput("'" + file.string() + "' is damaged.");
    }
}

// What the manifest does not name was put there by somebody else, and nobody reads it.
std::string damageOf(const fs::path& checkpoint, const SealedFile& sealed, LookAt what) {
    const fs::path file = checkpoint / sealed.name;
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    if (failed) return "'" + file.string() + "' is missing.";
    if (static_cast<int64_t>(size) != sealed.bytes)
        return "'" + file.string() + "' has " + counted(static_cast<int64_t>(size), "byte") + ", where " +
               std::to_string(sealed.bytes) + " were written.";
    if (what == LookAt::kBytes && contentHashOfFile(file) != sealed.hash)
        return "'" + file.string() + "' is not what was written: its checksum is another one.";
    return {};
}

// Whether the system has noted a change of the file since the other one was written: of its bytes, or of its name.
bool isTouchedSince(const fs::path& file, const fs::path& other) {
    struct stat own {};
    struct stat others {};
    if (::lstat(file.c_str(), &own) != 0 || ::lstat(other.c_str(), &others) != 0) return true;
    return std::pair(own.st_ctim.tv_sec, own.st_ctim.tv_nsec) >
           std::pair(others.st_ctim.tv_sec, others.st_ctim.tv_nsec);
}

} // namespace

void sealCheckpoint(const fs::path& checkpoint, const std::string& run) {
    std::vector<fs::path> paths;
    std::error_code failed;
    for (fs::directory_iterator entry(checkpoint, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->is_regular_file(failed) && entry->path() != manifestOf(checkpoint)) paths.push_back(entry->path());
    if (failed) throw ioError("read", checkpoint, failed.value());
    std::ranges::sort(paths);
    Json files = Json::object();
    for (const fs::path& path : paths) {
        flushToDisk(path);
        files[path.filename().string()] = {{"bytes", FileReader(path).sizeBytes()}, {"xxh3", contentHashOfFile(path)}};
    }
    Json manifest = {{"version", kVersion}, {"files", files}};
    if (!run.empty()) manifest["run"] = run;
    writeFileAtomically(manifestOf(checkpoint), manifest.dump(2) + "\n");
}

std::string runThatSealed(const fs::path& result) {
    std::error_code none;
    if (!fs::is_regular_file(manifestOf(result), none)) return {};
    try {
        return nlohmann::json::parse(readTextFile(manifestOf(result))).value("run", "");
    } catch (const Error&) {                     // nobody can read it
    } catch (const nlohmann::json::exception&) { // it is somebody's
    }
    return {};
}

std::string sealOf(const fs::path& checkpoint) {
    std::error_code none;
    return fs::is_regular_file(manifestOf(checkpoint), none) ? contentHashOfFile(manifestOf(checkpoint)) : "";
}

std::string damageOf(const fs::path& checkpoint, LookAt what) {
    try {
        std::error_code none;
        if (!fs::exists(manifestOf(checkpoint), none))
            return readTrainingState(checkpoint).fingerprint ? "'" + manifestOf(checkpoint).string() + "' is missing."
                                                             : std::string();
        const std::vector<SealedFile> files = readManifest(manifestOf(checkpoint));
        if (std::ranges::find(files, "state.json", &SealedFile::name) == files.end())
            return "'" + manifestOf(checkpoint).string() + "' is damaged.";
        for (const SealedFile& file : files)
            if (std::string damage = damageOf(checkpoint, file, what); !damage.empty()) return damage;
        readTrainingState(checkpoint);
        return {};
    } catch (const Error& error) {
        return error.message();
    }
}

std::optional<std::set<std::string>> filesAsSealed(const fs::path& checkpoint) {
    const fs::path manifest = manifestOf(checkpoint);
    if (std::error_code none; !fs::exists(manifest, none)) return std::nullopt;
    std::set<std::string> names;
    try {
        for (const SealedFile& file : readManifest(manifest)) {
            const bool isRead = file.bytes <= kMostOfSmallFile || isTouchedSince(checkpoint / file.name, manifest);
            if (damageOf(checkpoint, file, isRead ? LookAt::kBytes : LookAt::kSizes).empty()) names.insert(file.name);
        }
        names.insert(manifest.filename());
    } catch (const Error&) { // it is somebody else's, or damaged: nobody knows what was written
    }
    return names;
}

} // namespace roundpipe::runs
