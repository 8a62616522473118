// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/metrics_file.h"

#include "runs/json_lines.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace roundpipe::runs {
namespace {

double numberOr(const nlohmann::json& value, double otherwise) {
    return value.is_null() ? otherwise : value.get<double>();
}

session::StepMetrics parseLine(std::string_view line) {
    constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    const nlohmann::json json = nlohmann::json::parse(line);
    session::StepMetrics metrics;
    metrics.step = wholeNumberAt(json, "step");
    metrics.loss = numberOr(json.at("loss"), kNoNumber);
    if (!json.at("validation_loss").is_null()) metrics.validationLoss = json["validation_loss"].get<double>();
    metrics.learningRate = numberOr(json.at("lr"), kNoNumber);
    metrics.gradNorm = numberOr(json.at("grad_norm"), kNoNumber);
    metrics.tokens = wholeNumberAt(json, "tokens");
    metrics.trainedTokens = wholeNumberAt(json, "trained_tokens");
    metrics.seconds = json.at("seconds").get<double>();
    metrics.lossScale = json.value("loss_scale", 1.0);
    metrics.skipped = json.value("skipped", false);
    return metrics;
}

} // namespace

std::string toJsonLine(const session::StepMetrics& metrics) {
    nlohmann::ordered_json json;
    json["step"] = metrics.step;
    json["loss"] = metrics.loss;
    json["validation_loss"] = metrics.validationLoss ? nlohmann::ordered_json(*metrics.validationLoss) : nullptr;
    json["lr"] = metrics.learningRate;
    json["grad_norm"] = metrics.gradNorm;
    json["tokens"] = metrics.tokens;
    json["trained_tokens"] = metrics.trainedTokens;
    json["seconds"] = metrics.seconds;
    if (metrics.lossScale != 1) json["loss_scale"] = metrics.lossScale;
    if (metrics.lossScale != 1 || metrics.skipped) json["skipped"] = metrics.skipped;
    return json.dump() + "\n";
}

std::vector<session::StepMetrics> readMetrics(const std::filesystem::path& file) {
    std::vector<session::StepMetrics> all;
    forEachLine(file, "step", [&](std::string_view line) { all.push_back(parseLine(line)); });
    return all;
}

} // namespace roundpipe::runs
