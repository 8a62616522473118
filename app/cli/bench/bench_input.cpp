// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_input.h"

#include "arch/model_config.h"
#include "base/error.h"
#include "base/file.h"
#include "session/spec/run_shape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>

namespace roundpipe::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kNumWords = 256;

fs::path makeFolder() {
    std::string pattern = (fs::temp_directory_path() / "roundpipe-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw ioError("make the folder", pattern, errno);
    return pattern;
}

std::string word(int64_t i) {
    return fmt::format("w{}", i % kNumWords);
}

// A word is a token.
std::string tokenizerJson(int64_t vocabSize) {
    nlohmann::ordered_json words = nlohmann::ordered_json::object();
    for (int64_t i = 0; i < std::min(kNumWords, vocabSize); ++i)
        words[word(i)] = i;
    return nlohmann::ordered_json{{"version", "1.0"},
                                  {"added_tokens", nlohmann::ordered_json::array()},
                                  {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
                                  {"model", {{"type", "WordLevel"}, {"vocab", words}, {"unk_token", word(0)}}}}
        .dump();
}

} // namespace

BenchInput::BenchInput(session::RunSpec& spec, int64_t numSteps) : m_folder(makeFolder()) {
    makeModel(spec);
    makeRows(spec, numSteps);
    spec.output = {};
    spec.output.folder = m_folder / "run";
    spec.output.saveTrace = false;
}

BenchInput::~BenchInput() {
    std::error_code ignored; // what is left lies where the system clears up
    fs::remove_all(m_folder, ignored);
}

void BenchInput::makeModel(session::RunSpec& spec) const {
    const fs::path given = spec.model.path;
    const bool isConfigAlone = fs::is_regular_file(given);
    if (isConfigAlone) spec.model.randomWeights = true;
    if (!spec.model.randomWeights || (!isConfigAlone && fs::exists(given / "tokenizer.json"))) return;
    const arch::ModelConfig config = arch::readModelConfig(given);
    const fs::path model = m_folder / "model";
    fs::create_directory(model);
    fs::copy_file(isConfigAlone ? given : given / "config.json", model / "config.json");
    writeFileAtomically(model / "tokenizer.json", tokenizerJson(config.vocabSize));
    spec.model.path = model;
}

void BenchInput::makeRows(session::RunSpec& spec, int64_t numSteps) const {
    const batch::StepContent content = session::stepContentOf(spec, {});
    const auto numRows = numSteps * std::llround(std::ceil(content.average.examples));
    std::string rows;
    for (int64_t row = 0; row < numRows; ++row) {
        rows += R"({"text":")";
        for (int64_t i = 0; i < content.largest.length + 1; ++i) // a word is a token at least
            rows += word(row + i * (2 * row + 1)) + ' ';
        rows += R"(","continues":true})"; // cut off anyway, so no end is missed
        rows += '\n';
    }
    const fs::path file = m_folder / "rows.jsonl";
    writeFileAtomically(file, rows);
    session::DatasetSection dataset;
    dataset.files = {file};
    dataset.format = DataFormat::kText;
    dataset.trainOn = TrainOn::kAll;
    const int64_t maxLength = spec.data.maxLength;
    spec.data = {};
    spec.data.datasets = {dataset};
    spec.data.maxLength = maxLength;
    spec.data.validationFraction = 0;
    spec.data.cache = false;
    spec.duration.epochs = 1;
    spec.duration.maxSteps = numSteps;
}

} // namespace roundpipe::cli
