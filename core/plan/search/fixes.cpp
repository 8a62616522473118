#include "plan/search/fixes.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

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

// `change` makes the request a little smaller each time and says what it did; nothing once it cannot go on.
using Change = std::function<std::optional<std::string>(ModelRequest&)>;

std::optional<Fix> firstThatFits(ModelRequest request, const SearchOptions& options, const Change& change,
                                 const std::string& drawback) {
    while (const auto what = change(request))
        if (const auto choice = fitting(request, options)) return Fix{*what, speedOf(*choice) + drawback};
    return std::nullopt;
}

std::optional<std::string> smallerMicrobatch(ModelRequest& request) {
    int64_t& size = request.training.sequences;
    if (request.choosesMicrobatch) return std::nullopt; // the smallest has been tried
    do {
        if (size <= 1) return std::nullopt;
        --size;
    } while (request.sequencesPerStep % size != 0);
    return fmt::format("microbatches of {} {}, more of them", size, size == 1 ? "sequence" : "sequences");
}

std::optional<std::string> shorterSequences(ModelRequest& request) {
    constexpr int64_t kShortest = 128;
    const int64_t length = request.training.maxLength / 2;
    if (length < kShortest) return std::nullopt;
    request.training.maxLength = length;
    request.training.averageLength = std::min(request.training.averageLength, static_cast<double>(length));
    return fmt::format("sequences of at most {} tokens", length);
}

Change fewerBits() {
    return [formats = std::vector<geometry::WeightFormat>{geometry::kPacked8Bit, geometry::kPacked4Bit},
            next = std::size_t{0}](ModelRequest& request) mutable -> std::optional<std::string> {
        while (next < formats.size() && request.training.weights.packed() &&
               request.training.weights.bits <= formats[next].bits)
            ++next;
        if (next == formats.size()) return std::nullopt;
        request.training.weights = formats[next++];
        return fmt::format("the base's weights kept and streamed in {} bits", request.training.weights.bits);
    };
}

std::optional<std::string> lowerRank(ModelRequest& request) {
    if (request.training.lora.rank <= 1) return std::nullopt;
    request.training.lora.rank /= 2;
    return fmt::format("LoRA of rank {}", request.training.lora.rank);
}

std::optional<std::string> moreHostMemory(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{8} << 40;
    constexpr int64_t kStep = int64_t{32} << 30;
    HostSpec& host = request.rig.host;
    if (host.memoryBytes >= kMostBytes) return std::nullopt;
    host.memoryBytes = (host.memoryBytes / kStep + 1) * kStep;
    host.pinnedBytes = 0;
    return fmt::format("{} of host memory for the run", formatBytes(host.memoryBytes));
}

std::optional<std::string> largerDevices(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{1} << 40;
    constexpr int64_t kStep = int64_t{8} << 30;
    for (DeviceSpec& device : request.rig.devices) {
        if (device.memoryBytes >= kMostBytes) return std::nullopt;
        device.memoryBytes = (device.memoryBytes / kStep + 1) * kStep;
    }
    return fmt::format("devices with {} of memory", formatBytes(request.rig.devices.front().memoryBytes));
}

} // namespace

std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000); // whether it fits matters, not the last percent
    std::vector<Fix> fixes;
    const auto attempt = [&](const Change& change, const char* drawback) {
        if (auto fix = firstThatFits(request, quick, change, drawback)) fixes.push_back(std::move(*fix));
    };
    attempt(smallerMicrobatch, "; same result, less work at a time");
    attempt(lowerRank, "; the adapter can learn less");
    attempt(shorterSequences, "; longer examples are cut off");
    attempt(fewerBits(), "; the base is rounded");
    attempt(moreHostMemory, "; buy or free memory");
    attempt(largerDevices, "; other GPUs");
    return fixes;
}

} // namespace roundpipe::plan
