// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/model_files.h"

#include <algorithm>
#include <system_error>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& file) {
    std::error_code unseen;
    return fs::exists(file, unseen);
}

// Whether there are any: what is wrong with them is said in words where they are read.
bool hasWeights(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().extension() == ".safetensors") return true;
    return false;
}

} // namespace

ModelFiles modelFilesOf(const session::RunSpec& spec, const fs::path& checkpoint) {
    ModelFiles files{spec.model.path, spec.model.chatTemplate};
    const fs::path named = spec.model.path;
    const bool isWhole = isThere(named / "config.json") && (spec.model.randomWeights || hasWeights(named));
    if (isWhole || spec.method != Method::kFull || checkpoint.empty() || !isThere(checkpoint / "config.json"))
        return files;
    files.folder = checkpoint.string();
    files.ofCheckpoint = true;
    if (!isThere(files.chatTemplate)) files.chatTemplate.clear(); // a checkpoint holds it, too
    return files;
}

ModelFiles modelFilesOf(const session::RunSpec& spec, const std::optional<FoundCheckpoint>& checkpoint) {
    return modelFilesOf(spec, checkpoint ? checkpoint->folder : fs::path());
}

} // namespace roundpipe::runs
