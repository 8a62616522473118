// SPDX-License-Identifier: GPL-3.0-or-later
// What would help where a model does not fit a rig.
#pragma once

#include "plan/search/model_choice.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::plan {

// What is changed: a setting of the run, or (from kPageLock on) something that no setting does.
enum class FixKind : uint8_t {
    kMicrobatch,
    kMicrobatchTokens,
    kRoundSize,
    kStepTokens,
    kPrecision,
    kRank,
    kLength,
    kBits,
    kPageLock,
    kHostMemory,
    kDevices
};
constexpr std::array<const char*, 11> spellings(FixKind) {
    return {"microbatch", "microbatch-tokens", "round-size",  "step-tokens", "precision", "rank", "length",
            "bits",       "page-lock",         "host-memory", "devices"};
}

constexpr bool isSetting(FixKind kind) {
    return kind < FixKind::kPageLock;
}
// Whether it costs nothing but speed.
constexpr bool keepsResults(FixKind kind) {
    return kind <= FixKind::kRoundSize;
}

// A change of the request that makes it fit, and what it costs.
struct Fix {
    FixKind kind = FixKind::kMicrobatch;
    // Sequences of a microbatch, tokens of one, microbatches of a round, tokens of a step, bits of weights and
    // activations (32: fp32, 16: bf16), rank, tokens of a sequence, bits of the base; bytes that may be page-locked, of
    // the host, of each device.
    int64_t value = 0;
    double tokensPerSecond = 0; // with it, at least (roundedDown()); 0: nobody has planned with it yet

    std::string change() const; // "sequences of at most 1024 tokens"
    std::string cost() const;   // "at least 4.1 k tokens/s; longer examples are cut off"
};
// To the three digits that are shown of it, so that "at least" is no more than there is.
double roundedDown(double tokensPerSecond);
// Of kBits: int8 or nf4.
WeightFormat weightFormatOf(const Fix& fix);
// The request with such changes made, in this order.
ModelRequest withFixes(ModelRequest request, std::span<const Fix> fixes);

// What whoever makes such changes in a run's settings will ask for. Changes are tried by it alone, so that what is
// advised, followed, fits. A model without layers is given, and put back afterwards: nothing may ask for them.
using Following = std::function<ModelRequest(const ModelRequest& unchanged, std::span<const Fix> fixes)>;

// The smallest change of each kind that makes a request fit that does not, gentlest kinds first; empty if none of them
// alone is enough. By memory alone, and on unequal devices by a search as well: one step less does not fit. Their
// speeds are left to who plans with them.
std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options = {},
                               const Following& follow = withFixes);

// Changes that make it fit together, to be made in this order: what hurts most is changed least, and a rank only where
// it must be. Empty if not even all of these kinds are enough. Among everything: settings, memory and devices. Speeds
// are left open.
enum class Among : uint8_t { kSettings, kEverything };
std::vector<Fix> smallestCombination(const ModelRequest& request, Among among, const SearchOptions& options = {},
                                     const Following& follow = withFixes);

// Whether such a combination is to be offered beside changes that are enough alone: it changes clearly less of what
// hurts, and none of them costs nothing but speed.
bool isBeside(std::span<const Fix> together, std::span<const Fix> alone);

// Smaller rounds of the same microbatches, more of them, where they are faster than `found` by 5 % or more: packets of
// a large round may take so much host memory that only slow plans fit. Nothing where the host holds any plan's, in
// milliseconds, and where rounds are open.
std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found,
                                const SearchOptions& options = {});

} // namespace roundpipe::plan
