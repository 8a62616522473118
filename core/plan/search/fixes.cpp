// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/fixes.h"

#include "base/error.h"
#include "base/units.h"
#include "plan/search/least_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace roundpipe::plan {
namespace {

// Whether it fits matters, not the last percent.
SearchOptions quickly(const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000);
    return quick;
}

std::optional<ModelChoice> fitting(const ModelRequest& request, const SearchOptions& options) {
    try {
        return chooseForModel(request, options);
    } catch (const DoesNotFit&) {
        return std::nullopt;
    }
}

// A kind of change: the values that a request may take instead of its own, gentlest first, and how it takes one.
struct Change {
    FixKind kind;
    std::vector<int64_t> (*values)(const ModelRequest&);
    void (*make)(ModelRequest&, int64_t value);
};

// From the largest multiple below `from` down to `least`, or from the smallest above it up to `most`.
std::vector<int64_t> multiplesDown(int64_t step, int64_t from, int64_t least) {
    std::vector<int64_t> values;
    for (int64_t value = (from - 1) / step * step; value >= least; value -= step)
        values.push_back(value);
    return values;
}
std::vector<int64_t> multiplesUp(int64_t step, int64_t from, int64_t most) {
    std::vector<int64_t> values;
    for (int64_t value = (from / step + 1) * step; value <= most; value += step)
        values.push_back(value);
    return values;
}

// The usual step holds what it held, in microbatches that are so many times as large.
void shrinkUsual(ModelRequest& request, double times) {
    TrainingShape& training = request.training;
    if (request.usualMicrobatches == 0) return;
    const int32_t before =
        std::exchange(request.usualMicrobatches, static_cast<int32_t>(std::ceil(request.usualMicrobatches / times)));
    training.averageSequences = training.usualSequences() * before / request.usualMicrobatches;
}

std::vector<int64_t> smallerMicrobatches(const ModelRequest& request) {
    std::vector<int64_t> sizes;
    if (request.choosesMicrobatch || request.training.tokenLimit > 0) return sizes; // the smallest has been tried
    const int64_t perRound = request.sequencesPerStep / std::max(1, request.rounds);
    for (int64_t size = request.training.sequences - 1; size >= 1; --size)
        if (perRound % size == 0) sizes.push_back(size); // rounds stay, each of whole microbatches
    return sizes;
}

void makeMicrobatch(ModelRequest& request, int64_t size) {
    const auto before = static_cast<double>(std::exchange(request.training.sequences, size));
    shrinkUsual(request, static_cast<double>(size) / before);
}

std::vector<int64_t> fewerTokens(const ModelRequest& request) {
    constexpr int64_t kFine = 32; // where there are thousands of sequences, one of them less is no step
    const int64_t longest = request.training.maxLength; // must fit in
    std::vector<int64_t> limits;
    for (int64_t limit = request.training.tokenLimit; limit > longest; limits.push_back(limit)) {
        const int64_t left = (limit - 1) / longest;
        limit = (left - left / kFine) * longest;
    }
    return limits;
}

void makeTokens(ModelRequest& request, int64_t limit) {
    TrainingShape& training = request.training;
    const auto numMicrobatches = static_cast<double>(request.sequencesPerStep / training.sequences);
    const auto before = static_cast<double>(std::exchange(training.tokenLimit, limit));
    const double times = static_cast<double>(limit) / before;
    shrinkUsual(request, times);
    training.sequences =
        std::max(static_cast<int64_t>(std::ceil(training.usualSequences())), limit / training.maxLength);
    const auto perRound = static_cast<int64_t>(std::ceil(numMicrobatches / times / std::max(1, request.rounds)));
    request.sequencesPerStep = training.sequences * perRound * std::max(1, request.rounds);
}

int64_t numMicrobatches(const ModelRequest& request) {
    return request.sequencesPerStep / request.training.sequences;
}

// As many microbatches in a step as before. Where rounds are open, all have been tried.
std::vector<int64_t> smallerRounds(const ModelRequest& request) {
    std::vector<int64_t> sizes;
    if (request.choosesMicrobatch || request.rounds == 0) return sizes;
    const int64_t all = numMicrobatches(request);
    for (int64_t size = all / request.rounds - 1; size >= 1; --size)
        if (all % size == 0) sizes.push_back(size);
    return sizes;
}

void makeRounds(ModelRequest& request, int64_t size) {
    request.rounds = static_cast<int32_t>(numMicrobatches(request) / size);
}

// Rounds fewer of a step that is said in tokens; of thousands, one less is no step.
std::vector<int64_t> smallerSteps(const ModelRequest& request) {
    constexpr int32_t kFine = 32;
    std::vector<int64_t> steps;
    if (request.choosesMicrobatch || request.tokensPerStep == 0) return steps;
    for (int32_t rounds = request.rounds; rounds > 1;) {
        rounds -= std::max(1, rounds / kFine);
        steps.push_back(request.tokensPerStep / request.rounds * rounds);
    }
    return steps;
}

void makeStep(ModelRequest& request, int64_t tokens) {
    const int64_t perRound = request.sequencesPerStep / request.rounds;
    const double share = static_cast<double>(tokens) / static_cast<double>(request.tokensPerStep);
    request.tokensPerStep = tokens;
    request.rounds = std::max(1, static_cast<int32_t>(std::ceil(share * request.rounds)));
    request.sequencesPerStep = perRound * request.rounds;
    if (request.usualMicrobatches > 0)
        request.usualMicrobatches = std::max(1, static_cast<int32_t>(std::ceil(share * request.usualMicrobatches)));
}

std::vector<int64_t> fewerFloatBits(const ModelRequest& request) {
    switch (request.training.operandType) {
    case DType::kF64:
        return {32, 16};
    case DType::kF32:
        return {16};
    default:
        return {};
    }
}

void makeFloatBits(ModelRequest& request, int64_t bits) {
    request.training.operandType = bits == 32 ? DType::kF32 : DType::kBF16;
}

std::vector<int64_t> shorterSequences(const ModelRequest& request) {
    constexpr int64_t kShortest = 128, kFine = 32, kCoarse = 256;
    constexpr int64_t kLong = 8 * kCoarse;
    const int64_t positions = request.model.config.maxPositions; // beyond them nothing is offered: it is learned badly
    const int64_t length =
        std::min(request.training.maxLength, positions > 0 ? positions + 1 : std::numeric_limits<int64_t>::max());
    std::vector<int64_t> lengths = multiplesDown(kCoarse, length, kLong);
    const std::vector<int64_t> few = multiplesDown(kFine, std::min(length, kLong), kShortest);
    lengths.insert(lengths.end(), few.begin(), few.end());
    return lengths;
}

void makeLength(ModelRequest& request, int64_t length) {
    TrainingShape& training = request.training;
    training.tokenLimit = training.tokenLimit * length / training.maxLength;
    training.maxLength = length;
    training.averageLength = std::min(training.averageLength, static_cast<double>(length));
}

constexpr int64_t kBitsOfInt8 = 8, kBitsOfNf4 = 4;

std::vector<int64_t> fewerBits(const ModelRequest& request) {
    std::vector<int64_t> bits;
    const WeightFormat now = request.training.weights;
    if (request.training.trainsBase) return bits; // masters are rounded into them
    if (now == WeightFormat::kAsIs) bits.push_back(kBitsOfInt8);
    const bool isOfEight = now == WeightFormat::kInt8 || now == WeightFormat::kFp8;
    if (now == WeightFormat::kAsIs || isOfEight) bits.push_back(kBitsOfNf4);
    return bits;
}

void makeBits(ModelRequest& request, int64_t bits) {
    request.training.weights = weightFormatOf({FixKind::kBits, bits, 0});
}

std::vector<int64_t> lowerRanks(const ModelRequest& request) {
    constexpr int64_t kFine = 8; // as ranks are usually given; below it halves
    if (request.training.trainsBase) return {};
    const int64_t rank = request.training.lora.rank;
    std::vector<int64_t> ranks = multiplesDown(kFine, rank, kFine);
    for (int64_t few = std::min(rank, kFine) / 2; few >= 1; few /= 2)
        ranks.push_back(few);
    return ranks;
}

// Where there is a limit; up to all memory that there is.
std::vector<int64_t> morePageLocked(const ModelRequest& request) {
    const HostSpec& host = request.rig.host;
    return host.pinnedBytes > 0 ? multiplesUp(int64_t{1} << 30, host.pinnedBytes, host.memoryBytes)
                                : std::vector<int64_t>();
}

// A limit of what may be page-locked stays: it is not the memory's.
std::vector<int64_t> moreHostMemory(const ModelRequest& request) {
    return multiplesUp(int64_t{32} << 30, request.rig.host.memoryBytes, int64_t{8} << 40);
}

// Of CPU workers the memory is the host's.
std::vector<int64_t> largerDevices(const ModelRequest& request) {
    if (std::ranges::none_of(request.rig.devices, &DeviceSpec::isGpu)) return {};
    const int64_t least = std::ranges::min(request.rig.devices, {}, &DeviceSpec::memoryBytes).memoryBytes;
    return multiplesUp(int64_t{8} << 30, least, int64_t{1} << 40);
}

// In the order in which they are offered.
constexpr std::array<Change, 11> kChanges = {{
    {FixKind::kMicrobatch, smallerMicrobatches, makeMicrobatch},
    {FixKind::kMicrobatchTokens, fewerTokens, makeTokens},
    {FixKind::kRoundSize, smallerRounds, makeRounds},
    {FixKind::kStepTokens, smallerSteps, makeStep},
    {FixKind::kPrecision, fewerFloatBits, makeFloatBits},
    {FixKind::kRank, lowerRanks, [](ModelRequest& request, int64_t rank) { request.training.lora.rank = rank; }},
    {FixKind::kLength, shorterSequences, makeLength},
    {FixKind::kBits, fewerBits, makeBits},
    {FixKind::kPageLock, morePageLocked,
     [](ModelRequest& request, int64_t bytes) { request.rig.host.pinnedBytes = bytes; }},
    {FixKind::kHostMemory, moreHostMemory,
     [](ModelRequest& request, int64_t bytes) { request.rig.host.memoryBytes = bytes; }},
    {FixKind::kDevices, largerDevices,
     [](ModelRequest& request, int64_t bytes) {
         for (DeviceSpec& device : request.rig.devices)
             device.memoryBytes = std::max(device.memoryBytes, bytes);
     }},
}};

const Change& changeOf(FixKind kind) {
    return *std::ranges::find(kChanges, kind, &Change::kind);
}

// The first that is enough, if the last one is.
std::vector<int64_t>::const_iterator firstEnough(const std::vector<int64_t>& values,
                                                 const std::function<bool(int64_t)>& isEnough) {
    return !values.empty() && isEnough(values.back()) ? std::ranges::partition_point(values, std::not_fn(isEnough))
                                                      : values.end();
}

bool fits(const ModelRequest& request, const SearchOptions& options) {
    if (options.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "Planning was cancelled.");
    return fitsSurely(request, options);
}

// Where devices differ, a search finds more than fitsSurely() by who takes which stage.
bool mayBeSearched(const ModelRequest& request) {
    const std::vector<DeviceSpec>& devices = request.rig.devices;
    return std::ranges::any_of(devices, [&](const DeviceSpec& device) {
        return device.memoryBytes != devices.front().memoryBytes || device.matrixFlops != devices.front().matrixFlops;
    });
}

// A place before `least`, from which on all surely fit, that fits by a search while the one before it does not. What a
// search finds is not in order, so a few of the places before are looked at, too.
std::size_t searchedPlace(std::size_t least, const std::function<bool(std::size_t)>& isFound) {
    constexpr std::size_t kNearby = 4;
    std::size_t tooMuch = 0; // places below are too much
    while (tooMuch < least) {
        const std::size_t tried = std::midpoint(tooMuch, least);
        if (isFound(tried))
            least = tried;
        else
            tooMuch = tried + 1;
    }
    for (std::size_t back = 1; back <= std::min(kNearby, least); ++back)
        if (isFound(least - back)) {
            least -= back;
            back = 0;
        }
    return least;
}

// A request that is changed again and again. A large mixture's thousands of tensors take longer to copy than it takes
// to see what fits, so that all variants have the layers of one copy in turn. No change looks at layers.
class Variants {
public:
    Variants(const ModelRequest& request, const Following& follow) : m_withoutLayers(request), m_follow(follow) {
        m_layers.swap(m_withoutLayers.model.layers);
    }
    // What is changed, its layers excepted.
    const ModelRequest& unchanged() const { return m_withoutLayers; }
    ModelRequest changed(std::span<const Fix> fixes) const { return m_follow(m_withoutLayers, fixes); }
    // What `use` makes of a request that changed() has made.
    template <class Use>
    auto with(ModelRequest made, const Use& use) {
        made.model.layers.swap(m_layers);
        auto result = use(made);
        made.model.layers.swap(m_layers);
        return result;
    }

private:
    ModelRequest m_withoutLayers;
    const Following& m_follow;
    std::vector<arch::LayerSpec> m_layers;
};

std::optional<Fix> gentlest(Variants& variants, const Change& change, const SearchOptions& options) {
    const auto with = [&](int64_t value, const auto& use) {
        const Fix fix{change.kind, value, 0};
        return variants.with(variants.changed({&fix, 1}), use);
    };
    const auto isEnough = [&](int64_t value) {
        return with(value, [&](const ModelRequest& made) { return fits(made, options); });
    };
    const auto found = [&](int64_t value) {
        return with(value, [&](const ModelRequest& made) { return fitting(made, options); });
    };
    const std::vector<int64_t> values = change.values(variants.unchanged());
    // Smaller microbatches are more of them, which takes memory of the host: what fits need not be the smallest.
    const bool oneByOne = change.kind == FixKind::kMicrobatch || change.kind == FixKind::kMicrobatchTokens ||
                          change.kind == FixKind::kRoundSize;
    if (values.empty()) return std::nullopt;
    auto place = static_cast<std::size_t>(
        (oneByOne ? std::ranges::find_if(values, isEnough) : firstEnough(values, isEnough)) - values.begin());
    const bool isFine = change.kind == FixKind::kLength || change.kind == FixKind::kRank;
    if (isFine && mayBeSearched(variants.unchanged()) && place < values.size())
        place = searchedPlace(place, [&](std::size_t i) { return found(values[i]).has_value(); });
    if (place == values.size()) return std::nullopt;
    return Fix{change.kind, values[place], 0};
}

// Those that can be combined, in the order in which they are made: the limit of a microbatch goes by the length of
// sequences, that of page-locking by the host's memory.
constexpr std::array kCombined = {
    FixKind::kLength,           FixKind::kPrecision, FixKind::kRank,       FixKind::kBits,     FixKind::kMicrobatch,
    FixKind::kMicrobatchTokens, FixKind::kRoundSize, FixKind::kHostMemory, FixKind::kPageLock, FixKind::kDevices};

std::size_t placeOf(FixKind kind) {
    return static_cast<std::size_t>(std::ranges::find(kCombined, kind) - kCombined.begin());
}

// How far each of kCombined goes: the place of its value, counted from 1; 0: not made.
using Extents = std::array<std::size_t, kCombined.size()>;

constexpr std::size_t kAsFarAsItGoes = 1'000'000;

// What a desktop takes can be bought: some 256 GiB on its board, GPUs of some 96 GiB. A large model wants a server.
enum class Machine : uint8_t { kItself, kDesktop, kServer };

std::size_t furthest(FixKind kind, Machine machine) {
    if (isSetting(kind) || machine == Machine::kServer) return kAsFarAsItGoes;
    if (machine == Machine::kItself) return 0;
    return kind == FixKind::kHostMemory ? 8 : 9;
}

// Which kinds may be combined. As many as must be: an adapter that can learn less for a few tokens more is no good
// exchange, nor is a base that is rounded.
struct Kinds {
    Machine machine = Machine::kItself;
    bool ranks = false, bits = false;
    bool pageLock = false; // a limit that is raised, not bought

    std::size_t furthest(FixKind kind) const {
        switch (kind) {
        case FixKind::kRank:
            return ranks ? kAsFarAsItGoes : 0;
        case FixKind::kBits:
            return bits ? kAsFarAsItGoes : 0;
        case FixKind::kPageLock:
            return pageLock ? kAsFarAsItGoes : 0;
        default:
            return plan::furthest(kind, machine);
        }
    }
};

// One set after the other, until one helps: what is there already before what must be bought.
std::vector<Kinds> setsAmong(Among among) {
    if (among == Among::kSettings)
        return {{Machine::kItself}, {Machine::kItself, true}, {Machine::kItself, true, true}};
    return {{Machine::kItself, true, false, true},
            {Machine::kItself, true, true, true},
            {Machine::kDesktop, true, false, true},
            {Machine::kServer, true, false, true},
            {Machine::kServer, true, true, true}};
}

struct Changes {
    std::vector<Fix> fixes;
    Extents extents{}; // as far as values go
    ModelRequest request;
};

Changes makeAll(const Variants& variants, const Extents& extents) {
    Changes made{{}, {}, variants.unchanged()};
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const Change& change = changeOf(kCombined[k]);
        if (extents[k] == 0) continue;
        const std::vector<int64_t> values = change.values(made.request);
        made.extents[k] = std::min(extents[k], values.size());
        if (values.empty()) continue;
        made.fixes.push_back({change.kind, values[made.extents[k] - 1], 0});
        made.request = variants.changed(made.fixes);
    }
    return made;
}

// Each kind as little as it may be beside the others, what hurts most first: GPUs, then quality, memory of the host,
// which is bought easily, and more rounds and smaller microbatches, which cost nothing but speed.
constexpr std::array kWorstFirst = {FixKind::kDevices,   FixKind::kLength,    FixKind::kBits,
                                    FixKind::kRank,      FixKind::kPrecision, FixKind::kHostMemory,
                                    FixKind::kPageLock,  FixKind::kRoundSize, FixKind::kMicrobatchTokens,
                                    FixKind::kMicrobatch};

void leastOfEach(Extents& extents, std::span<const FixKind> kinds,
                 const std::function<bool(const Extents&)>& isEnough) {
    for (const FixKind kind : kinds) {
        const std::size_t which = placeOf(kind);
        std::size_t least = 0;
        while (least < extents[which]) {
            Extents half = extents;
            half[which] = std::midpoint(least, extents[which]);
            if (isEnough(half))
                extents = half;
            else
                least = half[which] + 1;
        }
    }
}

// What a run is left with of what these may take from it.
struct Left {
    double length = 0, rank = 0;
};

Left leftBy(const Variants& variants, const Extents& extents) {
    const TrainingShape& training = makeAll(variants, extents).request.training;
    return {static_cast<double>(training.maxLength), static_cast<double>(training.lora.rank)};
}

// A few tokens less than could be may leave an adapter many times the rank: then they do.
void spareRank(const Variants& variants, Extents& extents, const std::function<bool(const Extents&)>& isEnough) {
    constexpr double kFewTokens = 0.9, kManyTimes = 2;
    constexpr std::array kRankAlone = {FixKind::kRank}, kLengthAlone = {FixKind::kLength};
    if (extents[placeOf(FixKind::kRank)] == 0) return;
    const Left before = leftBy(variants, extents);
    Extents spared = extents;
    for (Extents next = extents; isEnough(next); ++next[placeOf(FixKind::kLength)]) {
        if (leftBy(variants, next).length < kFewTokens * before.length) break;
        spared = next;
        if (makeAll(variants, next).extents != next) break; // it goes no further
    }
    leastOfEach(spared, kRankAlone, isEnough);
    if (leftBy(variants, spared).rank < kManyTimes * before.rank) return;
    leastOfEach(spared, kLengthAlone, isEnough);
    extents = spared;
}

// The least that helps of such kinds; none where all of them do not.
std::optional<Extents> leastOf(const Variants& variants, const Kinds& kinds,
                               const std::function<bool(const Extents&)>& isEnough) {
    Extents extents{};
    std::ranges::transform(kCombined, extents.begin(), [&](FixKind kind) { return kinds.furthest(kind); });
    if (!isEnough(extents)) return std::nullopt;
    extents = makeAll(variants, extents).extents; // as far as values go
    // Several times over: microbatches that are smaller are more of them, which takes host memory, so what was needed
    // beside the smallest ones may be needed no more beside those that are kept.
    for (Extents before{}; before != extents;) {
        before = extents;
        leastOfEach(extents, kWorstFirst, isEnough);
    }
    spareRank(variants, extents, isEnough);
    return extents;
}

// Whether a base that is rounded leaves so much more that it is the better exchange.
bool sparesMore(const Variants& variants, const Extents& rounded, const Extents& asItIs) {
    constexpr double kLonger = 1.5, kHigher = 4;
    const Left with = leftBy(variants, rounded), without = leftBy(variants, asItIs);
    return with.length >= kLonger * without.length ||
           (with.length >= without.length && with.rank >= kHigher * without.rank);
}

const char* drawbackOf(FixKind kind) {
    switch (kind) {
    case FixKind::kMicrobatch:
        return "less work at a time, same result with as many examples a step";
    case FixKind::kMicrobatchTokens:
        return "same result, less work at a time";
    case FixKind::kRoundSize:
        return "same result, but for rounding; weights travel for each round";
    case FixKind::kStepTokens:
        return "an update has fewer examples, and an epoch more updates";
    case FixKind::kPrecision:
        return "weights and activations have fewer digits";
    case FixKind::kRank:
        return "the adapter can learn less";
    case FixKind::kLength:
        return "longer examples are cut off";
    case FixKind::kBits:
        return "the base is rounded";
    case FixKind::kPageLock:
        return "raise the limit";
    case FixKind::kHostMemory:
        return "buy or free memory";
    case FixKind::kDevices:
        return "other GPUs";
    }
    return "";
}

} // namespace

double roundedDown(double rate) {
    if (rate <= 0) return 0;
    const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(rate)) - 2));
    return std::floor(rate / unit) * unit;
}

WeightFormat weightFormatOf(const Fix& fix) {
    RP_CHECK(fix.kind == FixKind::kBits);
    return fix.value == kBitsOfInt8 ? WeightFormat::kInt8 : WeightFormat::kNf4;
}

std::string Fix::change() const {
    switch (kind) {
    case FixKind::kMicrobatch:
        return fmt::format("microbatches of {} {}", value, value == 1 ? "sequence" : "sequences");
    case FixKind::kMicrobatchTokens:
        return fmt::format("microbatches of at most {} tokens, more of them", value);
    case FixKind::kRoundSize:
        return fmt::format("rounds of {} {}, more of them", value, value == 1 ? "microbatch" : "microbatches");
    case FixKind::kStepTokens:
        return fmt::format("steps of {} tokens", value);
    case FixKind::kPrecision:
        return fmt::format("precision {}", value == 32 ? "fp32" : "bf16");
    case FixKind::kRank:
        return fmt::format("LoRA of rank {}", value);
    case FixKind::kLength:
        return fmt::format("sequences of at most {} tokens", value);
    case FixKind::kBits:
        return fmt::format("the base's weights kept and streamed in {} bits ({})", value,
                           spellingOf(weightFormatOf(*this)));
    case FixKind::kPageLock:
        return fmt::format("{} of host memory that may be page-locked", formatBytes(value));
    case FixKind::kHostMemory:
        return fmt::format("{} of host memory for the run", formatBytes(value));
    case FixKind::kDevices:
        return fmt::format("devices with {} of memory", formatBytes(value));
    }
    return {};
}

std::string Fix::cost() const {
    if (tokensPerSecond == 0) return drawbackOf(kind);
    return fmt::format("at least {} tokens/s; {}", formatCount(tokensPerSecond), drawbackOf(kind));
}

std::vector<Fix> smallestCombination(const ModelRequest& request, Among among, const SearchOptions& options,
                                     const Following& follow) {
    const SearchOptions quick = quickly(options);
    Variants variants(request, follow);
    std::map<Extents, bool> known; // they are asked for several times over
    const auto isEnough = [&](const Extents& extents) {
        const auto [asked, isNew] = known.try_emplace(extents, false);
        if (isNew)
            asked->second = variants.with(makeAll(variants, extents).request,
                                          [&](const ModelRequest& made) { return fits(made, quick); });
        return asked->second;
    };
    std::optional<Extents> best;
    for (const Kinds& kinds : setsAmong(among)) {
        if (best && !kinds.bits) break; // what must be bought
        const auto found = leastOf(variants, kinds, isEnough);
        if (found && (!best || sparesMore(variants, *found, *best))) best = found;
        if (best && kinds.bits) break;
    }
    if (!best) return {};
    return makeAll(variants, *best).fixes;
}

bool isBeside(std::span<const Fix> together, std::span<const Fix> alone) {
    constexpr double kClearlyMore = 1.05;
    return std::ranges::none_of(alone, [&](const Fix& one) {
        if (!isSetting(one.kind)) return false;
        if (keepsResults(one.kind) || together.size() < 2) return true;
        const auto same = std::ranges::find(together, one.kind, &Fix::kind);
        return same != together.end() &&
               static_cast<double>(same->value) < kClearlyMore * static_cast<double>(one.value);
    });
}

ModelRequest withFixes(ModelRequest request, std::span<const Fix> fixes) {
    for (const Fix& fix : fixes)
        changeOf(fix.kind).make(request, fix.value);
    return request;
}

std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found, const SearchOptions& options) {
    constexpr double kWorthwhile = 1.05;
    if (hostHoldsAnyCuts(request.rig, found.costs, found.choice.shape)) return std::nullopt;
    std::optional<Fix> best;
    for (const int64_t size : smallerRounds(request)) {
        if (size < request.rig.numDevices()) break; // some would wait for the others' stages
        const Fix smaller{FixKind::kRoundSize, size, 0};
        const auto choice = fitting(withFixes(request, {&smaller, 1}), options);
        const double needed = kWorthwhile * (best ? best->tokensPerSecond : found.tokensPerSecond);
        if (choice && choice->tokensPerSecond >= needed) best = {smaller.kind, size, choice->tokensPerSecond};
    }
    return best;
}

std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options, const Following& follow) {
    std::vector<Fix> fixes;
    Variants variants(request, follow);
    for (const Change& change : kChanges)
        if (const auto fix = gentlest(variants, change, quickly(options))) fixes.push_back(*fix);
    return fixes;
}

} // namespace roundpipe::plan
