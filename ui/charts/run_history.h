// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has said of itself so far, beside its loss: the curves of its other charts.
#pragma once

#include "session/engine.h"
#include "ui/charts/curves_chart.h"

#include <array>
#include <optional>
#include <vector>

namespace roundpipe::ui::charts {

enum class Quantity {
    kGradientNorm, // over steps, as is the next one
    kTokensPerSecond,
    kDeviceMemory, // over the run's time, as are all that follow
    kHostMemory,
    kLinkUp,
    kLinkDown,
    kTemperature,
    kPower,
    kComputeClock,
    kMemoryClock,
};
inline constexpr int kNumQuantities = static_cast<int>(Quantity::kMemoryClock) + 1;

bool isOverSteps(Quantity quantity);
QString quantityName(Quantity quantity);                   // with its unit: "GPU power (W)"
QString whyNothingIsKnown(Quantity quantity, bool isOver); // of a run that has begun, or has ended: a sentence

// Seconds are those of the run's clock.
class RunHistory {
public:
    void clear();
    void goOnAfter(int64_t step); // of a continued run: what machines say of themselves begins there
    std::optional<int64_t> goneOnAfter() const { return m_goneOnAfter; }
    void add(const session::StepMetrics& metrics);
    // No-op unless a second has passed since the last one that counted, and before the devices are open. Of a long run
    // older moments are kept at greater distances.
    void add(double seconds, const session::MachineStatus& machine);
    // Only those that anything is known of: a reading that is absent is no 0. Of devices by their number.
    std::vector<NamedCurve> curves(Quantity quantity) const;
    const std::vector<session::StepMetrics>& steps() const { return m_steps; }
    double seconds() const; // of all steps: how long the run took, as its folder has it (runs::StoredRun)
    std::size_t numMoments() const { return m_moments.size(); }

private:
    struct Moment {
        double seconds = 0;
        session::MachineStatus machine;
    };
    std::vector<session::StepMetrics> m_steps;
    std::vector<Moment> m_moments;
    double m_distance = 1; // seconds between two moments
    std::optional<int64_t> m_goneOnAfter;
};

} // namespace roundpipe::ui::charts
