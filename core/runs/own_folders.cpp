// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/own_folders.h"

#include "arch/tokenizer_file_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDraft = ".part";
constexpr std::string_view kReplaced = ".part.replaced"; // replaceFolder()

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
    endsOff(name, kDraft);
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

} // namespace

bool holdsOnlyOwnFiles(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(fs::symlink_status(folder, failed))) return false;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code unseen;
        if (!fs::is_regular_file(entry->symlink_status(unseen)) || !isOwnFile(entry->path().filename().string()))
            return false;
    }
    return !failed;
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

} // namespace roundpipe::runs
