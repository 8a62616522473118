// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/text_part.h"

#include "arch/families.h"

#include <fmt/format.h>

#include <utility>

namespace roundpipe::arch {
namespace {

constexpr std::string_view kTextPart = "model.language_model.";
constexpr std::string_view kTower = "model.vision_tower.";
constexpr std::string_view kProjector = "model.multi_modal_projector.";

// How stored names begin, and parameters.
constexpr std::pair<std::string_view, std::string_view> kOlderNames[] = {{"language_model.model.", kTextPart},
                                                                         {"language_model.lm_head.", "lm_head."},
                                                                         {"vision_tower.", kTower},
                                                                         {"multi_modal_projector.", kProjector}};

} // namespace

bool isTextPartAlone(const ModelConfig& config) {
    return rulesOf(config).textPart;
}

std::string_view decoderPrefix(const ModelConfig& config) {
    return isTextPartAlone(config) ? kTextPart : "model.";
}

std::string parameterOf(std::string_view stored) {
    for (const auto& [older, newer] : kOlderNames)
        if (stored.starts_with(older)) return fmt::format("{}{}", newer, stored.substr(older.size()));
    return std::string(stored);
}

std::string olderNameOf(std::string_view parameter) {
    for (const auto& [older, newer] : kOlderNames)
        if (parameter.starts_with(newer)) return fmt::format("{}{}", older, parameter.substr(newer.size()));
    return std::string(parameter);
}

bool isOfTextPart(std::string_view parameter) {
    return parameter.starts_with(kTextPart);
}

bool isOfPictures(std::string_view parameter) {
    return parameter.starts_with(kTower) || parameter.starts_with(kProjector);
}

} // namespace roundpipe::arch
