// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/foreign_run.h"

#include "base/error.h"
#include "base/file.h"
#include "foreign/axolotl.h"
#include "foreign/llama_factory.h"
#include "foreign/unsloth.h"

#include <fmt/format.h>

namespace roundpipe::foreign {

namespace fs = std::filesystem;

ForeignRun readForeignRun(const fs::path& path) {
    constexpr int64_t kMaxBytes = int64_t{1} << 20;
    const Tree file = jsonOfYaml(readTextFile(path, kMaxBytes), path.string());
    const fs::path folder = fs::absolute(path).parent_path();
    if (file.is_object()) {
        if (isLlamaFactory(file)) return fromLlamaFactory(file, folder);
        if (isAxolotl(file)) return fromAxolotl(file, folder);
        if (isUnsloth(file)) return fromUnsloth(file, folder);
    }
    throw invalidInput(fmt::format("'{}' is no run of LLaMA-Factory, Axolotl or Unsloth.", path.string()),
                       "Those are told by 'model_name_or_path', 'base_model', and 'model' with a section 'training'.");
}

} // namespace roundpipe::foreign
