// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/warn.h"

#include "arch/checkpoint.h"
#include "arch/model_folder.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <system_error>

namespace roundpipe::cli {
namespace {

// Or says where they are, which may be nowhere.
bool holdsWeights(const std::filesystem::path& folder) {
    std::error_code unreadable;
    const std::filesystem::directory_iterator files(folder, unreadable);
    return std::any_of(begin(files), end(files), [](const auto& entry) {
        return entry.path().extension() == ".safetensors" || entry.path().filename() == arch::kWeightsIndexFile;
    });
}

} // namespace

void warn(const session::RunText& text) {
    std::fprintf(stderr, "warning: %s\n", text.text().c_str());
}

void warn(const std::vector<session::RunText>& sentences) {
    std::string line;
    for (const session::RunText& sentence : sentences)
        line += (line.empty() ? "" : " ") + sentence.text();
    if (!line.empty()) std::fprintf(stderr, "warning: %s\n", line.c_str());
}

void warn(const std::vector<session::SpecRemark>& remarks) {
    for (const session::SpecRemark& remark : remarks)
        warn(remark.text);
}

void warn(const std::vector<session::ExportRemark>& refusals) {
    for (const session::ExportRemark& refusal : refusals)
        std::fprintf(stderr, "warning: Of its result, %s\n", refusal.text().c_str());
}

void warnOfModel(const std::filesystem::path& model) {
    if (!holdsWeights(model)) return;
    const arch::ModelFolder folder = arch::readModelFolder(model);
    if (folder.model && !folder.hasWeights)
        std::fprintf(stderr, "warning: A run will refuse this model. %s %s\n", folder.problem.c_str(),
                     folder.advice.c_str());
}

} // namespace roundpipe::cli
