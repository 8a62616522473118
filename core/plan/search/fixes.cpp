#include "plan/search/fixes.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roundpipe::plan {
namespace {

std::string speedOf(const ModelChoice& choice) {
    return fmt::format("{} tokens/s", formatCount(choice.tokensPerSecond));
}

std::optional<ModelChoice> fitting(const ModelRequest& request, const SearchOptions& options) {
    try {
        return chooseForModel(request, options);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
        return std::nullopt;
    }
}

struct Changed {
    int64_t value = 0;
    std::string what;
};
// Makes the request a little smaller each time and says what it did; nothing once it cannot go on.
using Change = std::function<std::optional<Changed>(ModelRequest&)>;

std::optional<Fix> firstThatFits(FixKind kind, ModelRequest request, const SearchOptions& options, const Change& change,
                                 const std::string& drawback) {
    while (const auto changed = change(request))
        if (const auto choice = fitting(request, options))
            return Fix{kind, changed->value, changed->what, speedOf(*choice) + drawback};
    return std::nullopt;
}

// The usual step holds what it held, in microbatches that are so many times as large.
void shrinkUsual(ModelRequest& request, double times) {
    TrainingShape& training = request.training;
    if (request.usualMicrobatches == 0) return;
    const int32_t before =
        std::exchange(request.usualMicrobatches, static_cast<int32_t>(std::ceil(request.usualMicrobatches / times)));
    training.averageSequences = training.usualSequences() * before / request.usualMicrobatches;
}

std::optional<Changed> smallerMicrobatch(ModelRequest& request) {
    int64_t& size = request.training.sequences;
    if (request.choosesMicrobatch || request.training.tokenLimit > 0)
        return std::nullopt; // the smallest has been tried
    const auto before = static_cast<double>(size);
    const int64_t perRound = request.sequencesPerStep / std::max(1, request.rounds);
    do { // rounds stay, each of whole microbatches
        if (size <= 1) return std::nullopt;
        --size;
    } while (perRound % size != 0);
    shrinkUsual(request, static_cast<double>(size) / before);
    return Changed{size,
                   fmt::format("microbatches of {} {}, more of them", size, size == 1 ? "sequence" : "sequences")};
}

std::optional<Changed> fewerTokens(ModelRequest& request) {
    TrainingShape& training = request.training;
    if (training.tokenLimit <= training.maxLength) return std::nullopt; // the longest sequence must fit in
    const auto before = static_cast<double>(training.tokenLimit);
    const auto numMicrobatches = static_cast<double>(request.sequencesPerStep / training.sequences);
    training.tokenLimit = (training.tokenLimit - 1) / training.maxLength * training.maxLength;
    const double times = static_cast<double>(training.tokenLimit) / before;
    shrinkUsual(request, times);
    training.sequences =
        std::max(static_cast<int64_t>(std::ceil(training.usualSequences())), training.tokenLimit / training.maxLength);
    const auto perRound = static_cast<int64_t>(std::ceil(numMicrobatches / times / std::max(1, request.rounds)));
    request.sequencesPerStep = training.sequences * perRound * std::max(1, request.rounds);
    return Changed{training.tokenLimit,
                   fmt::format("microbatches of at most {} tokens, more of them", training.tokenLimit)};
}

std::optional<Changed> shorterSequences(ModelRequest& request) {
    constexpr int64_t kShortest = 128;
    TrainingShape& training = request.training;
    const int64_t length = training.maxLength / 2;
    if (length < kShortest) return std::nullopt;
    training.tokenLimit = training.tokenLimit * length / training.maxLength;
    training.maxLength = length;
    training.averageLength = std::min(training.averageLength, static_cast<double>(length));
    return Changed{length, fmt::format("sequences of at most {} tokens", length)};
}

Change fewerBits() {
    return [formats = std::vector<geometry::WeightFormat>{geometry::kPacked8Bit, geometry::kPacked4Bit},
            next = std::size_t{0}](ModelRequest& request) mutable -> std::optional<Changed> {
        while (next < formats.size() && request.training.weights.packed() &&
               request.training.weights.bits <= formats[next].bits)
            ++next;
        if (next == formats.size()) return std::nullopt;
        request.training.weights = formats[next++];
        const int bits = request.training.weights.bits;
        return Changed{bits, fmt::format("the base's weights kept and streamed in {} bits", bits)};
    };
}

std::optional<Changed> lowerRank(ModelRequest& request) {
    if (request.training.lora.rank <= 1) return std::nullopt;
    request.training.lora.rank /= 2;
    return Changed{request.training.lora.rank, fmt::format("LoRA of rank {}", request.training.lora.rank)};
}

std::optional<Changed> moreHostMemory(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{8} << 40;
    constexpr int64_t kStep = int64_t{32} << 30;
    HostSpec& host = request.rig.host;
    if (host.memoryBytes >= kMostBytes) return std::nullopt;
    host.memoryBytes = (host.memoryBytes / kStep + 1) * kStep;
    host.pinnedBytes = 0;
    return Changed{host.memoryBytes, fmt::format("{} of host memory for the run", formatBytes(host.memoryBytes))};
}

std::optional<Changed> largerDevices(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{1} << 40;
    constexpr int64_t kStep = int64_t{8} << 30;
    for (DeviceSpec& device : request.rig.devices) {
        if (device.memoryBytes >= kMostBytes) return std::nullopt;
        device.memoryBytes = (device.memoryBytes / kStep + 1) * kStep;
    }
    const int64_t bytes = request.rig.devices.front().memoryBytes;
    return Changed{bytes, fmt::format("devices with {} of memory", formatBytes(bytes))};
}

} // namespace

std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000); // whether it fits matters, not the last percent
    std::vector<Fix> fixes;
    const auto attempt = [&](FixKind kind, const Change& change, const char* drawback) {
        if (auto fix = firstThatFits(kind, request, quick, change, drawback)) fixes.push_back(std::move(*fix));
    };
    attempt(FixKind::kMicrobatch, smallerMicrobatch, "; same result, less work at a time");
    attempt(FixKind::kMicrobatchTokens, fewerTokens, "; same result, less work at a time");
    attempt(FixKind::kRank, lowerRank, "; the adapter can learn less");
    attempt(FixKind::kLength, shorterSequences, "; longer examples are cut off");
    attempt(FixKind::kBits, fewerBits(), "; the base is rounded");
    attempt(FixKind::kHostMemory, moreHostMemory, "; buy or free memory");
    attempt(FixKind::kDevices, largerDevices, "; other GPUs");
    return fixes;
}

} // namespace roundpipe::plan
