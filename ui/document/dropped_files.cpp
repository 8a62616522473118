// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dropped_files.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::ui::document {
namespace {

namespace fs = std::filesystem;

bool isFileAt(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

// Rows may lie in a .json file, too; a run file is what reads as one.
bool isRunFile(const fs::path& path) {
    if (path.extension() != ".json") return false;
    if (path.filename() == "run.json") return true;
    try {
        session::readRunSpec(path);
        return true;
    } catch (const Error&) {
        return false;
    }
}

fs::path modelFolderOf(const fs::path& path) {
    return isFileAt(path) ? path.parent_path() : path;
}

} // namespace

DroppedKind kindOf(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return DroppedKind::kNothing;
    if (fs::is_directory(path, ignored)) {
        if (isFileAt(path / "run.json")) return DroppedKind::kProject;
        return isFileAt(path / "config.json") ? DroppedKind::kModel : DroppedKind::kRows;
    }
    if (path.filename() == "config.json" || path.extension() == ".safetensors") return DroppedKind::kModel;
    return isRunFile(path) ? DroppedKind::kProject : DroppedKind::kRows;
}

DroppedKind take(Document& document, const std::vector<fs::path>& paths) {
    const auto is = [](DroppedKind kind) { return [kind](const fs::path& path) { return kindOf(path) == kind; }; };
    if (const auto project = std::ranges::find_if(paths, is(DroppedKind::kProject)); project != paths.end())
        return document.open(*project) ? DroppedKind::kProject : DroppedKind::kNothing;
    document.change(Document::tr("Add what was dropped"), [&](session::RunSpec& spec) {
        std::vector<std::string>& files = spec.data.datasets.at(document.dataset()).files;
        for (const fs::path& path : paths)
            if (kindOf(path) == DroppedKind::kRows && std::ranges::find(files, path.string()) == files.end())
                files.push_back(path.string());
    });
    for (const DroppedKind kind : {DroppedKind::kModel, DroppedKind::kRows})
        if (std::ranges::any_of(paths, is(kind))) return kind;
    return DroppedKind::kNothing;
}

fs::path modelFolderAmong(const std::vector<fs::path>& paths) {
    const auto found =
        std::ranges::find_if(paths, [](const fs::path& path) { return kindOf(path) == DroppedKind::kModel; });
    return found == paths.end() ? fs::path() : modelFolderOf(*found);
}

} // namespace roundpipe::ui::document
