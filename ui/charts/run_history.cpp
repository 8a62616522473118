// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_history.h"

#include "base/units.h"

#include <QCoreApplication>

#include <cmath>
#include <optional>

namespace roundpipe::ui::charts {
namespace {

constexpr std::size_t kMostMoments = 7200;
constexpr double kGiga = 1e9;

QString say(const char* english) {
    return QCoreApplication::translate("RunHistory", english);
}

std::optional<double> gibibytes(int64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

template <typename Value>
std::optional<double> known(const std::optional<Value>& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> valueOf(Quantity quantity, const session::DeviceStatus& device) {
    switch (quantity) {
    case Quantity::kDeviceMemory:
        return gibibytes(device.usedBytes);
    case Quantity::kLinkUp:
        return device.link.upBytesPerSecond / kGiga;
    case Quantity::kLinkDown:
        return device.link.downBytesPerSecond / kGiga;
    default:
        break;
    }
    if (!device.gpu) return std::nullopt;
    switch (quantity) {
    case Quantity::kTemperature:
        return known(device.gpu->temperatureCelsius);
    case Quantity::kPower:
        return known(device.gpu->powerWatts);
    case Quantity::kComputeClock:
        return known(device.gpu->computeClockMHz);
    case Quantity::kMemoryClock:
        return known(device.gpu->memoryClockMHz);
    default:
        return std::nullopt;
    }
}

} // namespace

bool isOverSteps(Quantity quantity) {
    return quantity == Quantity::kGradientNorm || quantity == Quantity::kTokensPerSecond;
}

QString quantityName(Quantity quantity) {
    switch (quantity) {
    case Quantity::kGradientNorm:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Gradient norm"));
    case Quantity::kTokensPerSecond:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Tokens per second"));
    case Quantity::kDeviceMemory:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Device memory (GiB)"));
    case Quantity::kHostMemory:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Host memory (GiB)"));
    case Quantity::kLinkUp:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Links up (GB/s)"));
    case Quantity::kLinkDown:
        return say(QT_TRANSLATE_NOOP("RunHistory", "Links down (GB/s)"));
    case Quantity::kTemperature:
        return say(QT_TRANSLATE_NOOP("RunHistory", "GPU temperature (°C)"));
    case Quantity::kPower:
        return say(QT_TRANSLATE_NOOP("RunHistory", "GPU power (W)"));
    case Quantity::kComputeClock:
        return say(QT_TRANSLATE_NOOP("RunHistory", "GPU clock (MHz)"));
    case Quantity::kMemoryClock:
        return say(QT_TRANSLATE_NOOP("RunHistory", "GPU memory clock (MHz)"));
    }
    return {};
}

QString whyNothingIsKnown(Quantity quantity, bool isOver) {
    if (isOver && isOverSteps(quantity))
        return say(QT_TRANSLATE_NOOP("RunHistory", "The run ended before its first step."));
    if (isOverSteps(quantity)) return say(QT_TRANSLATE_NOOP("RunHistory", "Begins with the first step."));
    if (isOver && quantity < Quantity::kTemperature)
        return say(QT_TRANSLATE_NOOP("RunHistory", "The run ended before its devices were open."));
    if (quantity < Quantity::kTemperature)
        return say(QT_TRANSLATE_NOOP("RunHistory", "Begins when the devices are open."));
    return say(QT_TRANSLATE_NOOP("RunHistory", "No device of this run says this of itself."));
}

double RunHistory::seconds() const {
    double seconds = 0;
    for (const session::StepMetrics& step : m_steps)
        seconds += step.seconds;
    return seconds;
}

void RunHistory::clear() {
    *this = {};
}

void RunHistory::goOnAfter(int64_t step) {
    m_goneOnAfter = step;
}

void RunHistory::add(const session::StepMetrics& metrics) {
    m_steps.push_back(metrics);
}

void RunHistory::add(double seconds, const session::MachineStatus& machine) {
    if (machine.devices.empty()) return;
    if (!m_moments.empty() && seconds < m_moments.back().seconds + m_distance) return;
    m_moments.push_back({seconds, machine});
    if (m_moments.size() < kMostMoments) return;
    m_distance *= 2;
    std::vector<Moment> kept;
    for (std::size_t i = 0; i < m_moments.size(); i += 2)
        kept.push_back(std::move(m_moments[i]));
    m_moments = std::move(kept);
}

std::vector<NamedCurve> RunHistory::curves(Quantity quantity) const {
    std::vector<NamedCurve> curves;
    const auto put = [&](std::size_t index, const QString& name, double x, double y) {
        if (curves.size() <= index) curves.resize(index + 1);
        curves[index].name = name;
        curves[index].x.push_back(x);
        curves[index].y.push_back(y);
    };
    if (isOverSteps(quantity)) {
        for (const session::StepMetrics& step : m_steps) {
            const bool isNorm = quantity == Quantity::kGradientNorm;
            if (!isNorm && step.seconds <= 0) continue;
            const double y = isNorm ? step.gradNorm : static_cast<double>(step.tokens) / step.seconds;
            if (std::isfinite(y)) put(0, {}, static_cast<double>(step.step), y); // the norm of a skipped step is not
        }
        return curves;
    }
    for (const Moment& moment : m_moments) {
        if (quantity == Quantity::kHostMemory) {
            put(0, say(QT_TRANSLATE_NOOP("RunHistory", "run")), moment.seconds,
                *gibibytes(moment.machine.host.processBytes));
            put(1, say(QT_TRANSLATE_NOOP("RunHistory", "pinned")), moment.seconds,
                *gibibytes(moment.machine.host.pinnedBytes));
            continue;
        }
        for (std::size_t d = 0; d < moment.machine.devices.size(); ++d)
            if (const auto value = valueOf(quantity, moment.machine.devices[d]))
                put(d, QString::number(d), moment.seconds, *value);
    }
    std::erase_if(curves, [](const NamedCurve& curve) { return curve.x.empty(); });
    return curves;
}

} // namespace roundpipe::ui::charts
