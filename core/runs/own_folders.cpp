// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/own_folders.h"

#include "arch/tokenizer_file_names.h"
#include "base/error.h"
#include "base/file_draft.h"
#include "runs/checkpoint_manifest.h"
#include "runs/checksums_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDraft = ".part";
constexpr std::string_view kReplaced = ".part.replaced"; // replaceFolder()

// The name that a file which is half written is to have.
std::string draftedAs(const fs::path& path) {
    return std::string(nameOfDrafted(path.filename().native()));
}

// Of checkpoints, of adapters and of models, beside those of their tokenizers.
constexpr std::array<std::string_view, 10> kOwnFiles = {
    "state.json",          kCheckpointSettings,           "manifest.json",   "optimizer.safetensors",
    "adapter_config.json", "adapter_model.safetensors",   "base_model.json", "config.json",
    "model.safetensors",   "model.safetensors.index.json"};

bool endsOff(std::string_view& name, std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    return true;
}

bool isOwnFile(std::string_view name) {
    if (const std::string_view drafted = nameOfDrafted(name); !drafted.empty()) name = drafted;
    endsOff(name, kDraft); // as older versions called half of one
    const auto isAmong = [&](const auto& names) { return std::ranges::find(names, name) != names.end(); };
    return isAmong(kOwnFiles) || isAmong(arch::kTokenizerFileNames) ||
           (name.starts_with("model-") && name.ends_with(".safetensors"));
}

bool isEarlier(std::string_view name) {
    constexpr std::string_view kPrefix = "step-";
    return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
           name.find_first_not_of("0123456789", kPrefix.size()) == std::string_view::npos;
}

// Of an entry of checkpoints/.
bool isReplaceable(std::string_view name) {
    const bool isDraft = endsOff(name, kReplaced) || endsOff(name, kDraft);
    return isEarlier(name) || (isDraft && (name == "last" || name == "best"));
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code failed;
    if (!fs::is_directory(fs::symlink_status(folder, failed))) return entries;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        entries.push_back(entry->path());
    return entries;
}

bool isFolder(const fs::path& path) {
    std::error_code failed;
    return fs::is_directory(fs::symlink_status(path, failed));
}

// Of an entry of a run's folder: a file of the run's, or of a person on it.
bool isFileOfRun(const fs::path& path, const RunFiles& files) {
    const std::array known = {files.spec(),    files.status(), files.metrics(), files.answers(),
                              files.exports(), files.log(),    files.trace(),   files.note(),
                              files.lock(),    files.socket(), files.journal(), files.samplePrompts()};
    const std::string drafted = draftedAs(path);
    const std::string name = drafted.empty() ? path.filename().string() : drafted;
    return std::ranges::find(known, path.parent_path() / name) != known.end() ||
           (name.starts_with("trace-to-step-") && name.ends_with(".rptrace"));
}

// A result or checkpoint, or a draft of one.
bool isOfWeights(const fs::path& path, const RunFiles& files) {
    const std::string whole = path.filename();
    std::string_view name = whole;
    if (!endsOff(name, kReplaced)) endsOff(name, kDraft);
    const fs::path finished = path.parent_path() / name;
    return finished == files.adapter() || finished == files.model() ||
           (path.parent_path() == files.checkpoints() && (name == "last" || name == "best" || isEarlier(name)));
}

// Of an entry of exports/, whole or half written: what its list does not name.
void addForeignOfExport(const fs::path& path, std::vector<fs::path>& found) {
    std::error_code unseen;
    std::set<std::string> own;
    try {
        if (isFolder(path)) own = filesOfExport(path);
        if (fs::is_regular_file(path / kChecksumsFile, unseen)) own.insert(kChecksumsFile); // it names none yet
    } catch (const Error&) { // it can't be read, and is named
    }
    if (own.empty()) found.push_back(path);
    for (const fs::path& entry : own.empty() ? std::vector<fs::path>() : entriesOf(path))
        if (isFolder(entry) || !(own.contains(entry.filename()) || own.contains(draftedAs(entry))))
            found.push_back(entry);
}

void addForeign(const fs::path& path, const RunFiles& files, std::vector<fs::path>& found) {
    const auto lookInside = [&](const auto& isOwn) {
        for (const fs::path& entry : entriesOf(path))
            if (!isOwn(entry)) found.push_back(entry);
    };
    if (!isFolder(path)) {
        if (!isFileOfRun(path, files)) found.push_back(path);
    } else if (path == files.checkpoints()) {
        for (const fs::path& entry : entriesOf(path))
            addForeign(entry, files, found);
    } else if (isOfWeights(path, files)) {
        lookInside([](const fs::path& entry) { return !isFolder(entry) && isOwnFile(entry.filename().native()); });
    } else if (path == files.conversations()) {
        lookInside([](const fs::path& entry) { return !isFolder(entry) && entry.extension() == ".json"; });
    } else if (path == files.exportsFolder()) {
        for (const fs::path& entry : entriesOf(path))
            addForeignOfExport(entry, found);
    } else {
        found.push_back(path);
    }
}

} // namespace

bool holdsOnlyOwnFiles(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(fs::symlink_status(folder, failed))) return false;
    const std::optional<std::set<std::string>> sealed = filesAsSealed(folder);
    const auto isOwn = [&](const fs::path& file) {
        const std::string name = file.filename();
        return isOwnFile(name) && (!sealed || sealed->contains(name) || !draftedAs(file).empty());
    };
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code unseen;
        if (!fs::is_regular_file(entry->symlink_status(unseen)) || !isOwn(entry->path())) return false;
    }
    return !failed;
}

void makeFolderAnew(const fs::path& folder) {
    std::error_code failed;
    if (holdsOnlyOwnFiles(folder)) fs::remove_all(folder, failed);
    fs::create_directories(folder.parent_path(), failed);
    if (!fs::create_directory(folder, failed))
        throw ioError("make the folder", folder, failed ? failed.value() : EEXIST);
}

std::vector<fs::path> replaceableFolders(const RunFiles& files) {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator entry(files.checkpoints(), failed), end; !failed && entry != end;
         entry.increment(failed))
        if (isReplaceable(entry->path().filename().string())) folders.push_back(entry->path());
    for (const fs::path& result : {files.adapter(), files.model()})
        for (const std::string_view ending : {kDraft, kReplaced})
            if (fs::path draft = result; fs::exists(fs::symlink_status(draft += ending, failed)))
                folders.push_back(draft);
    std::ranges::sort(folders);
    return folders;
}

std::vector<fs::path> foreignEntries(const RunFiles& files, const fs::path& within) {
    std::vector<fs::path> found;
    for (const fs::path& entry : entriesOf(files.folder))
        addForeign(entry, files, found);
    const std::string beginning = within.empty() ? "" : (within / "").string();
    std::erase_if(found, [&](const fs::path& entry) { return !entry.native().starts_with(beginning); });
    for (fs::path& entry : found)
        entry = entry.lexically_relative(files.folder);
    std::ranges::sort(found);
    return found;
}

} // namespace roundpipe::runs
