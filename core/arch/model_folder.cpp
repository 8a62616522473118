// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_folder.h"

#include "arch/checkpoint.h"
#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 2;
constexpr int64_t kMaxCardBytes = 1 << 20;
constexpr int64_t kBytesOfEnds = 64 << 10; // read in no time; a run compares all

bool isFileAt(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> foldersIn(const fs::path& parent) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (fs::directory_iterator entry(parent, ignored); entry != fs::directory_iterator(); entry.increment(ignored))
        if (entry->is_directory(ignored)) folders.push_back(entry->path());
    std::ranges::sort(folders);
    return folders;
}

void collect(const fs::path& folder, int depth, std::vector<fs::path>& found) {
    if (isFileAt(folder / "config.json")) {
        found.push_back(folder);
        return;
    }
    if (depth == kMaxDepth) return;
    for (const fs::path& below : foldersIn(folder))
        collect(below, depth + 1, found);
}

// The model card's head is YAML between two lines of dashes; one line of it names the licence.
std::string licenceOf(const fs::path& folder) {
    if (!isFileAt(folder / "README.md")) return {};
    const std::string card = readTextFile(folder / "README.md", kMaxCardBytes);
    const std::size_t end = card.starts_with("---") ? card.find("\n---", 3) : std::string::npos;
    if (end == std::string::npos) return {};
    const std::string key = "\nlicense:";
    std::size_t begin = card.find(key);
    if (begin == std::string::npos || begin > end) return {};
    begin = card.find_first_not_of(" '\"", begin + key.size());
    return card.substr(begin, card.find_first_of("'\"\r\n", begin) - begin);
}

bool hasTemplate(const fs::path& folder) {
    if (isFileAt(folder / "chat_template.jinja")) return true;
    const fs::path config = folder / "tokenizer_config.json";
    return isFileAt(config) && nlohmann::json::parse(readTextFile(config), nullptr, false).contains("chat_template");
}

Checkpoint openWeights(const fs::path& folder, const ModelSpec& model) {
    Checkpoint checkpoint = Checkpoint::open(folder);
    checkpoint.requireAll(model.layers);
    checkpoint.requireTiedHead(model.layers, kBytesOfEnds);
    return checkpoint;
}

} // namespace

std::string modelNameOf(const fs::path& path) {
    if (path.empty()) return {};                                                     // of a project without a model
    const fs::path folder = path.extension() == ".json" ? path.parent_path() : path; // it may be gone
    std::string name = folder.parent_path().parent_path().filename().string();
    if (folder.parent_path().filename() != "snapshots" || !name.starts_with("models--"))
        return fs::absolute(folder / "").parent_path().filename().string();
    name.erase(0, std::string_view("models--").size());
    if (const std::size_t dashes = name.find("--"); dashes != std::string::npos) name.replace(dashes, 2, "/");
    return name;
}

ModelFolder readModelFolder(const fs::path& path) {
    ModelFolder folder;
    folder.path = path;
    try {
        folder.name = modelNameOf(path);
        folder.isFolder = fs::is_directory(path);
        if (folder.isFolder) { // before anything is refused: these are said of what is refused, too
            folder.hasTokenizer = isFileAt(path / "tokenizer.json");
            folder.hasChatTemplate = hasTemplate(path);
            folder.licence = licenceOf(path);
        }
        folder.model = makeModelSpec(readModelConfig(path));
        if (!folder.isFolder) return folder;
        folder.weightBytes = openWeights(path, *folder.model).totalBytes();
        folder.hasWeights = true;
        if (!folder.hasTokenizer)
            throw unsupported("'" + path.string() + "' has no tokenizer.json.",
                              "Save the tokenizer with Hugging Face's fast tokenizers, or fetch the model again.");
    } catch (const Error& error) {
        folder.problem = error.message();
        folder.advice = error.advice();
    } catch (const fs::filesystem_error& error) {
        folder.problem = error.what();
    }
    return folder;
}

void requireWeights(const fs::path& folder, const ModelSpec& model) {
    openWeights(folder, model);
}

std::vector<fs::path> findModelFolders(const fs::path& root) {
    std::vector<fs::path> found;
    collect(root, 0, found);
    return found;
}

std::vector<fs::path> modelsInHuggingFaceCache(const fs::path& cache) {
    std::vector<fs::path> found;
    for (const fs::path& model : foldersIn(cache)) {
        if (!model.filename().string().starts_with("models--")) continue;
        std::vector<fs::path> snapshots = foldersIn(model / "snapshots");
        std::erase_if(snapshots, [](const fs::path& snapshot) { return !isFileAt(snapshot / "config.json"); });
        std::error_code ignored;
        const auto newest = std::ranges::max_element(
            snapshots, {}, [&](const fs::path& snapshot) { return fs::last_write_time(snapshot, ignored); });
        if (newest != snapshots.end()) found.push_back(*newest);
    }
    return found;
}

} // namespace roundpipe::arch
