// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/fix.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roundpipe::plan {
namespace {

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
    case FixKind::kMethod:
        return "adapters alone are trained; they learn less than all weights do";
    case FixKind::kPageLock:
        return "raise the limit";
    case FixKind::kDisk:
        return "free some of it, or write the run to another disk";
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
    const double power = std::floor(std::log10(rate));
    const double unit = rate < 1 ? std::pow(10.0, power - 1) : std::max(1.0, std::pow(10.0, power - 2));
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
    case FixKind::kMethod:
        return "adapters instead of all weights";
    case FixKind::kPageLock:
        return fmt::format("{} of host memory that may be page-locked", formatBytes(value));
    case FixKind::kDisk:
        return fmt::format("{} free on the disk", formatBytes(value));
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

} // namespace roundpipe::plan
