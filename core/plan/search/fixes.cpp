// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/fixes.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace roundpipe::plan {
namespace {

std::optional<ModelChoice> fitting(const ModelRequest& request, const SearchOptions& options) {
    try {
        return chooseForModel(request, options);
    } catch (const DoesNotFit&) {
        return std::nullopt;
    }
}

// Makes the request a little smaller each time and returns the fix's value; nothing once it cannot go on.
using Change = std::function<std::optional<int64_t>(ModelRequest&)>;

std::optional<Fix> firstThatFits(FixKind kind, ModelRequest request, const SearchOptions& options,
                                 const Change& change) {
    while (const auto value = change(request))
        if (const auto choice = fitting(request, options)) return Fix{kind, *value, choice->tokensPerSecond};
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

std::optional<int64_t> smallerMicrobatch(ModelRequest& request) {
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
    return size;
}

std::optional<int64_t> fewerTokens(ModelRequest& request) {
    TrainingShape& training = request.training;
    if (training.tokenLimit <= training.maxLength) return std::nullopt; // the longest sequence must fit in
    constexpr int64_t kFine = 32; // where there are thousands of sequences, one of them less is no step
    const auto before = static_cast<double>(training.tokenLimit);
    const auto numMicrobatches = static_cast<double>(request.sequencesPerStep / training.sequences);
    const int64_t left = (training.tokenLimit - 1) / training.maxLength;
    training.tokenLimit = (left - left / kFine) * training.maxLength;
    const double times = static_cast<double>(training.tokenLimit) / before;
    shrinkUsual(request, times);
    training.sequences =
        std::max(static_cast<int64_t>(std::ceil(training.usualSequences())), training.tokenLimit / training.maxLength);
    const auto perRound = static_cast<int64_t>(std::ceil(numMicrobatches / times / std::max(1, request.rounds)));
    request.sequencesPerStep = training.sequences * perRound * std::max(1, request.rounds);
    return training.tokenLimit;
}

std::optional<int64_t> shorterSequences(ModelRequest& request) {
    constexpr int64_t kShortest = 128;
    TrainingShape& training = request.training;
    const int64_t length = training.maxLength / 2;
    if (length < kShortest) return std::nullopt;
    training.tokenLimit = training.tokenLimit * length / training.maxLength;
    training.maxLength = length;
    training.averageLength = std::min(training.averageLength, static_cast<double>(length));
    return length;
}

Change fewerBits() {
    return [formats = std::vector<geometry::WeightFormat>{geometry::kPacked8Bit, geometry::kPacked4Bit},
            next = std::size_t{0}](ModelRequest& request) mutable -> std::optional<int64_t> {
        if (request.training.trainsBase) return std::nullopt; // masters are rounded into them
        while (next < formats.size() && request.training.weights.packed() &&
               request.training.weights.bits <= formats[next].bits)
            ++next;
        if (next == formats.size()) return std::nullopt;
        request.training.weights = formats[next++];
        return request.training.weights.bits;
    };
}

std::optional<int64_t> lowerRank(ModelRequest& request) {
    if (request.training.trainsBase || request.training.lora.rank <= 1) return std::nullopt;
    request.training.lora.rank /= 2;
    return request.training.lora.rank;
}

std::optional<int64_t> moreHostMemory(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{8} << 40;
    constexpr int64_t kStep = int64_t{32} << 30;
    HostSpec& host = request.rig.host;
    if (host.memoryBytes >= kMostBytes) return std::nullopt;
    host.memoryBytes = (host.memoryBytes / kStep + 1) * kStep;
    host.pinnedBytes = 0;
    return host.memoryBytes;
}

std::optional<int64_t> largerDevices(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{1} << 40;
    constexpr int64_t kStep = int64_t{8} << 30;
    for (DeviceSpec& device : request.rig.devices) {
        if (device.memoryBytes >= kMostBytes) return std::nullopt;
        device.memoryBytes = (device.memoryBytes / kStep + 1) * kStep;
    }
    return request.rig.devices.front().memoryBytes;
}

// Those that can be combined, in the order in which they are made: the limit of a microbatch goes by the length of
// sequences. Fewer bits are none of them, as they can be planned only.
struct KindOfChange {
    FixKind kind;
    std::function<Change()> change; // anew
};
const std::vector<KindOfChange>& kindsInOrder() {
    static const std::vector<KindOfChange> kinds = {
        {FixKind::kLength, [] { return Change(shorterSequences); }},
        {FixKind::kRank, [] { return Change(lowerRank); }},
        {FixKind::kMicrobatch, [] { return Change(smallerMicrobatch); }},
        {FixKind::kMicrobatchTokens, [] { return Change(fewerTokens); }},
        {FixKind::kHostMemory, [] { return Change(moreHostMemory); }},
        {FixKind::kDevices, [] { return Change(largerDevices); }},
    };
    return kinds;
}

// How often each kind of kindsInOrder() is made.
using Times = std::array<int, 6>;

// What a desktop takes can be bought: some 256 GiB on its board, GPUs of some 96 GiB.
int mostOften(FixKind kind, Among among) {
    constexpr int kAsOftenAsItGoes = 1'000'000;
    if (isSetting(kind)) return kAsOftenAsItGoes;
    if (among == Among::kSettings) return 0;
    return kind == FixKind::kHostMemory ? 8 : 9;
}

struct Changed {
    ModelRequest request;
    std::vector<Fix> fixes;
    Times times{}; // those that went
};

Changed changed(const ModelRequest& request, const Times& times) {
    Changed result{request, {}, {}};
    for (std::size_t k = 0; k < times.size(); ++k) {
        const Change change = kindsInOrder()[k].change();
        std::optional<int64_t> last;
        while (result.times[k] < times[k]) {
            const auto value = change(result.request);
            if (!value) break;
            last = value;
            ++result.times[k];
        }
        if (last) result.fixes.push_back({kindsInOrder()[k].kind, *last, 0});
    }
    return result;
}

// Each kind as seldom as it may be beside the others, what hurts most first: GPUs, then quality, memory of the host,
// which is bought easily, and smaller microbatches, which cost nothing but speed.
void leastOfEach(Times& times, const std::function<std::optional<ModelChoice>(const Times&)>& fits) {
    for (const FixKind kind : {FixKind::kDevices, FixKind::kLength, FixKind::kRank, FixKind::kHostMemory,
                               FixKind::kMicrobatchTokens, FixKind::kMicrobatch}) {
        const auto which = std::ranges::find(kindsInOrder(), kind, &KindOfChange::kind) - kindsInOrder().begin();
        int& count = times[static_cast<std::size_t>(which)];
        int least = 0;
        while (least < count) {
            Times half = times;
            int& tried = half[static_cast<std::size_t>(which)];
            tried = least + (count - least) / 2;
            if (fits(half))
                count = tried;
            else
                least = tried + 1;
        }
    }
}

const char* drawbackOf(FixKind kind) {
    switch (kind) {
    case FixKind::kMicrobatch:
    case FixKind::kMicrobatchTokens:
        return "same result, less work at a time";
    case FixKind::kRank:
        return "the adapter can learn less";
    case FixKind::kLength:
        return "longer examples are cut off";
    case FixKind::kBits:
        return "the base is rounded; can be planned, but not be trained yet";
    case FixKind::kHostMemory:
        return "buy or free memory";
    case FixKind::kDevices:
        return "other GPUs";
    }
    return "";
}

} // namespace

std::string Fix::change() const {
    switch (kind) {
    case FixKind::kMicrobatch:
        return fmt::format("microbatches of {} {}, more of them", value, value == 1 ? "sequence" : "sequences");
    case FixKind::kMicrobatchTokens:
        return fmt::format("microbatches of at most {} tokens, more of them", value);
    case FixKind::kRank:
        return fmt::format("LoRA of rank {}", value);
    case FixKind::kLength:
        return fmt::format("sequences of at most {} tokens", value);
    case FixKind::kBits:
        return fmt::format("the base's weights kept and streamed in {} bits", value);
    case FixKind::kHostMemory:
        return fmt::format("{} of host memory for the run", formatBytes(value));
    case FixKind::kDevices:
        return fmt::format("devices with {} of memory", formatBytes(value));
    }
    return {};
}

std::string Fix::cost() const {
    return fmt::format("{} tokens/s; {}", formatCount(tokensPerSecond), drawbackOf(kind));
}

std::vector<Fix> smallestCombination(const ModelRequest& request, Among among, const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000);
    const auto fits = [&](const Times& times) { return fitting(changed(request, times).request, quick); };
    Times times{};
    for (std::size_t k = 0; k < times.size(); ++k)
        times[k] = mostOften(kindsInOrder()[k].kind, among);
    if (!fits(times)) return {};
    times = changed(request, times).times;
    // Several times over: microbatches that are smaller are more of them, which takes host memory, so what was needed
    // beside the smallest ones may be needed no more beside those that are kept.
    for (Times before{}; before != times;) {
        before = times;
        leastOfEach(times, fits);
    }
    Changed smallest = changed(request, times);
    const auto choice = fitting(smallest.request, quick);
    for (Fix& fix : smallest.fixes)
        fix.tokensPerSecond = choice->tokensPerSecond;
    return smallest.fixes;
}

std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000); // whether it fits matters, not the last percent
    std::vector<Fix> fixes;
    const auto attempt = [&](FixKind kind, const Change& change) {
        if (auto fix = firstThatFits(kind, request, quick, change)) fixes.push_back(*fix);
    };
    attempt(FixKind::kMicrobatch, smallerMicrobatch);
    attempt(FixKind::kMicrobatchTokens, fewerTokens);
    attempt(FixKind::kRank, lowerRank);
    attempt(FixKind::kLength, shorterSequences);
    attempt(FixKind::kBits, fewerBits());
    attempt(FixKind::kHostMemory, moreHostMemory);
    attempt(FixKind::kDevices, largerDevices);
    return fixes;
}

} // namespace roundpipe::plan
