// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/cache_key.h"

#include "base/content_hash.h"

#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

// Raised whenever the same row may give other tokens or facts than before, or the notes have another form.
constexpr int kCacheVersion = 22;

} // namespace

std::string cacheKeyOf(const TokenCache& cache, const DataOptions& options, const text::ChatTemplate& chatTemplate,
                       LoadMeter& meter) {
    // All members are named here, so that a new one does not compile until somebody has said whether it is part of it.
    const auto& [files, skipped, format, validationFiles, validationFraction, maxValidationRows, maxLength, overLength,
                 overlap, trainOn, markers, leaveOut, leaveOutRows, maxRows, subset, minTrainedShare, arguments, now,
                 seed, numThreads, modelFolder, cacheFolder] = options;
    nlohmann::ordered_json key = {{"version", kCacheVersion},
                                  {"program", ROUNDPIPE_VERSION},
                                  {"format", spellingOf(format.kind)},
                                  {"validation_files", validationFiles.size()},
                                  {"train_on", static_cast<int>(trainOn)},
                                  {"markers", {markers.begin, markers.end}},
                                  {"arguments", arguments}};
    for (const auto& [field, column] : format.columns)
        key["columns"].push_back({field, column});
    for (const session::PromptPiece& piece : format.prompt)
        key["prompt"].push_back({piece.isColumn, piece.text});
    key["system"] = {spellingOf(format.system.use), format.system.text};
    key["table"] = {static_cast<int>(format.table.delimiter), format.table.hasHeader};
    for (const bool withTools : {false, true}) {
        const std::string source = chatTemplate.source(withTools);
        key["templates"].push_back(source);
        if (source.find("strftime_now") != std::string::npos)
            key["date"] = {now.year, now.month, now.day, now.hour, now.minute, now.second};
    }
    for (const char* name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"})
        if (fs::exists(modelFolder / name))
            key["model"].push_back({name, cache.hashOf(modelFolder / name, [](int64_t) {})});
    for (const fs::path& file : options.allFiles()) { // the name's endings decide how it is read
        const std::string name = file.filename().string();
        const std::size_t dot = name.find('.');
        key["files"].push_back({dot == std::string::npos ? "" : name.substr(dot),
                                cache.hashOf(file, [&](int64_t bytes) { meter.hashed(bytes); })});
    }
    return contentHash(key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace roundpipe::data
