// SPDX-License-Identifier: GPL-3.0-or-later
// Projects that scenes are played with, and the steps that many of them take.
#pragma once

#include "studio/studio.h"

#include <filesystem>
#include <functional>
#include <string>

namespace roundpipe::testing {

// A model folder that can be trained as far as one sees without reading it: its weights are a header and a hole.
std::filesystem::path writeModel(Studio& studio, const char* name, int hidden, int numBlocks);

void change(Studio& studio, const std::function<void(session::RunSpec&)>& edit);
void useRows(Studio& studio, const char* name, const std::string& content); // instead of the project's, in a file
void openDemo(Studio& studio);
void openLarge(Studio& studio, int hidden = 4096, int numBlocks = 36); // whose plan has something to show
// Every weight at a rate of adapters, and examples that are longer than the model has positions: allowed, and remarked.
void openRemarkable(Studio& studio);
void show(Studio& studio, const char* page);

void start(Studio& studio);
void untilStep(Studio& studio, int64_t step);

} // namespace roundpipe::testing
