// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several kernels of one product is the fastest, found while they are used: each takes some of a run's own
// products. A kernel takes part only once it has given the same bits as the one that would be taken without a trial, so
// that what is chosen, and when, changes no result. This is the bookkeeping; the GPU's side is in cublas_trials.cpp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>

namespace roundpipe::model {

// What tells kernels of one algorithm apart, by cuBLASLt's numbers (CUBLASLT_ALGO_CONFIG_*).
struct KernelKind {
    int32_t algorithm = 0, tile = 0, stages = 0, cluster = 0, option = 0, swizzle = 0;
    auto operator<=>(const KernelKind&) const = default;
};

// The trials of products that are alike: of the same types, and about the same size. One thread.
class KernelTrials {
public:
    enum class TrialStep {
        kCompare, // compute a part by `kind` and by `reference`, tell same() whether the bits are equal, and take the
                  // first kernel for the product itself
        kTime,    // take `kind` for the product, and tell took()
        kWait,    // take the first: what was begun has to end
        kSettled  // take `kind` from now on
    };
    struct Next {
        TrialStep step;
        std::size_t kind = 0, reference = 0; // of the kinds that were given
    };

    // What to do for a product whose kernels are of these kinds, the first of them cuBLAS's own choice.
    Next next(std::span<const KernelKind> kinds);
    // Takes it without any timing where it is among the kinds, and has shown the same bits.
    void expect(const KernelKind& fastest) { m_expected = fastest; }
    // What timings found; nothing before that, or where an expected one was taken.
    std::optional<KernelKind> found() const { return m_found; }
    void same(const KernelKind& kind, bool isSame);
    // Seconds for each multiplication, so that products of several sizes can be compared.
    void took(const KernelKind& kind, double secondsEach);

private:
    struct TriedKind {
        std::optional<bool> isSame; // unknown before it was compared
        int begun = 0, done = 0;    // timings
        double fastest = std::numeric_limits<double>::infinity();
    };
    std::optional<Next> nextForExpected(std::span<const KernelKind> kinds, std::optional<std::size_t> reference);
    Next compare(std::size_t kind, std::size_t reference);
    std::optional<std::size_t> timedNext(std::span<const KernelKind> kinds);

    std::map<KernelKind, TriedKind> m_states;
    std::optional<KernelKind> m_reference; // whose bits count: the first kernel of the first product
    std::optional<KernelKind> m_expected, m_found;
    bool m_isComparing = false;
};

} // namespace roundpipe::model
