// SPDX-License-Identifier: GPL-3.0-or-later
// answers.jsonl: what the model said to the prompts before, during and after a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::runs {

struct SampleAnswer {
    int64_t step = 0; // after which it was given
    bool tuned = false;
    std::string prompt;
    std::string text;
};

void appendAnswer(const SampleAnswer& answer, const std::filesystem::path& file); // throws kIo, kNoSpace
// In the order in which they were given; empty where there is no file. Throws as forEachLine().
std::vector<SampleAnswer> readAnswers(const std::filesystem::path& file);

// What was said to one prompt.
struct BeforeAndAfter {
    std::string prompt;
    std::string before; // by the base model; empty: it was not asked
    std::string after;  // by the tuned one, the last time; empty: it was not asked
    int64_t step = 0;   // of `after`
};
std::vector<BeforeAndAfter>
byPrompt(const std::vector<SampleAnswer>& answers); // in the order in which they were first asked

} // namespace roundpipe::runs
