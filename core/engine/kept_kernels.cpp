// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kept_kernels.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "base/log.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace roundpipe::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using model::FoundKernel;
using model::KernelKind;

constexpr int kVersion = 1;
constexpr int64_t kMaxFileBytes = 4 << 20;
constexpr std::size_t kMostKernels = 10'000; // a model has a few dozen classes of products
constexpr int kDeepest = 4;                  // brackets within brackets

std::array<int32_t, 6> numbersOf(const KernelKind& kind) {
    return {kind.algorithm, kind.tile, kind.stages, kind.cluster, kind.option, kind.swizzle};
}

KernelKind kindOf(const std::array<int32_t, 6>& numbers) {
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

fs::path fileIn(const fs::path& folder) {
    return folder / "kernels.json";
}

// What the library's own parser takes without a word: fewer numbers than there must be, or halves of one.
template <class T, std::size_t N>
std::array<T, N> wholeNumbers(const Json& json, const char* key) {
    const Json& list = json.at(key);
    if (!list.is_array() || list.size() != N) throw invalidInput(fmt::format("'{}' has to be {} numbers", key, N));
    std::array<T, N> numbers{};
    for (std::size_t i = 0; i < N; ++i) {
        if (!list[i].is_number_integer()) throw invalidInput(fmt::format("'{}' has to be whole numbers", key));
        numbers[i] = list[i].get<T>();
    }
    return numbers;
}

FoundKernel fromJson(const Json& json) {
    return {json.at("device").get<std::string>(),
            {wholeNumbers<int64_t, 3>(json, "sizes"), wholeNumbers<int32_t, 6>(json, "ways")},
            kindOf(wholeNumbers<int32_t, 6>(json, "kernel"))};
}

} // namespace

std::string toJson(std::span<const FoundKernel> kernels) {
    Json list = Json::array();
    for (const FoundKernel& kernel : kernels.first(std::min(kernels.size(), kMostKernels)))
        list.push_back({{"device", kernel.device},
                        {"sizes", kernel.products.sizes},
                        {"ways", kernel.products.ways},
                        {"kernel", numbersOf(kernel.kind)}});
    return Json{{"version", kVersion}, {"kernels", std::move(list)}}.dump(1, ' ', false,
                                                                          Json::error_handler_t::replace) +
           "\n";
}

std::vector<FoundKernel> parseKernels(std::string_view text, const std::string& file) {
    const auto damaged = [&](const std::string& problem) {
        return invalidInput(fmt::format("The file of kernels '{}' is damaged: {}.", file, problem), "Delete it.");
    };
    if (isNestedDeeper(text, kDeepest)) throw damaged(fmt::format("it is nested more than {} deep", kDeepest));
    std::vector<FoundKernel> kernels;
    try {
        const Json json = Json::parse(text);
        if (json.at("version") != kVersion) return {};
        for (const Json& kernel : json.at("kernels")) {
            if (kernels.size() == kMostKernels) break;
            kernels.push_back(fromJson(kernel));
        }
    } catch (const Json::exception& error) {
        throw damaged(wordsForJsonError(error.id, error.what(), text));
    } catch (const Error& error) {
        throw damaged(error.message());
    }
    return kernels;
}

void recallKernels(const fs::path& folder) {
    try {
        std::error_code unreadable;
        if (!fs::exists(fileIn(folder), unreadable)) return;
        const std::string file = fileIn(folder).string();
        for (const FoundKernel& kernel : parseKernels(readTextFile(fileIn(folder), kMaxFileBytes), file))
            model::putFoundKernel(kernel);
    } catch (const Error& error) {
        log::warning("The kernels that earlier runs found are found again: " + error.message());
    }
}

void keepKernels(const fs::path& folder) {
    const std::vector<FoundKernel> kernels = model::allFoundKernels();
    if (kernels.empty()) return;
    std::error_code failed;
    fs::create_directories(folder, failed); // where it fails, so does the file, which says why
    try {
        writeFileAtomically(fileIn(folder), toJson(kernels));
    } catch (const Error& error) {
        log::warning("The fastest kernels of this run were not kept: " + error.message());
    }
}

} // namespace roundpipe::engine
