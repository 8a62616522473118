// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace roundpipe::plan {
namespace {

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
        const int64_t tokens = request.tokensPerStep / request.rounds * rounds;
        if (tokens < request.training.maxLength) break; // a step holds an example at least
        steps.push_back(tokens);
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

// Whose rank and targets the request has.
std::vector<int64_t> adapters(const ModelRequest& request) {
    return request.training.trainsBase ? std::vector<int64_t>{0} : std::vector<int64_t>();
}

// Where it is known what is free there.
std::vector<int64_t> moreOnDisk(const ModelRequest& request) {
    const int64_t free = request.rig.host.diskBytes;
    return free > 0 ? multiplesUp(int64_t{1} << 30, free, int64_t{16} << 40) : std::vector<int64_t>();
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
constexpr std::array<Change, 13> kChanges = {{
    {FixKind::kMicrobatch, smallerMicrobatches, makeMicrobatch},
    {FixKind::kMicrobatchTokens, fewerTokens, makeTokens},
    {FixKind::kRoundSize, smallerRounds, makeRounds},
    {FixKind::kStepTokens, smallerSteps, makeStep},
    {FixKind::kPrecision, fewerFloatBits, makeFloatBits},
    {FixKind::kRank, lowerRanks, [](ModelRequest& request, int64_t rank) { request.training.lora.rank = rank; }},
    {FixKind::kLength, shorterSequences, makeLength},
    {FixKind::kBits, fewerBits, makeBits},
    {FixKind::kMethod, adapters, [](ModelRequest& request, int64_t) { request.training.trainsBase = false; }},
    {FixKind::kPageLock, morePageLocked,
     [](ModelRequest& request, int64_t bytes) { request.rig.host.pinnedBytes = bytes; }},
    {FixKind::kDisk, moreOnDisk, [](ModelRequest& request, int64_t bytes) { request.rig.host.diskBytes = bytes; }},
    {FixKind::kHostMemory, moreHostMemory,
     [](ModelRequest& request, int64_t bytes) { request.rig.host.memoryBytes = bytes; }},
    {FixKind::kDevices, largerDevices,
     [](ModelRequest& request, int64_t bytes) {
         for (DeviceSpec& device : request.rig.devices)
             device.memoryBytes = std::max(device.memoryBytes, bytes);
     }},
}};

} // namespace

std::span<const Change> allChanges() {
    return kChanges;
}

const Change& changeOf(FixKind kind) {
    return *std::ranges::find(kChanges, kind, &Change::kind);
}

ModelRequest withFixes(ModelRequest request, std::span<const Fix> fixes) {
    for (const Fix& fix : fixes)
        changeOf(fix.kind).make(request, fix.value);
    return request;
}

} // namespace roundpipe::plan
