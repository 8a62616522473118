// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/run_tiles.h"

#include "ui/models/activity_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/run_state_text.h"
#include "ui/widgets/tile_row.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QTime>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr double kWorthSaying = 1; // seconds that the end may be off

QString durationOf(double seconds) {
    return translations::durationText(seconds);
}

QString sizeOf(int64_t bytes) {
    return translations::bytesText(bytes);
}

} // namespace

RunTiles::RunTiles(QWidget* parent)
    : QWidget(parent)
    , m_step(new widgets::StatTile(tr("Step")))
    , m_loss(new widgets::StatTile(tr("Loss")))
    , m_speed(new widgets::StatTile(tr("Speed")))
    , m_remaining(new widgets::StatTile(tr("Remaining")))
    , m_machine(new widgets::StatTile(tr("Machine"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(
        new widgets::TileRow({{m_step, 18}, {m_loss, 20}, {m_speed, 17}, {m_remaining, 23}, {m_machine, 18}}));
}

void RunTiles::clear() {
    for (widgets::StatTile* tile : {m_step, m_loss, m_speed, m_remaining, m_machine})
        tile->set(QStringLiteral("–"));
}

void RunTiles::show(const session::Snapshot& now, std::optional<double> validation, double took) {
    showStep(now);
    if (now.last) {
        m_loss->set(translations::fixedText(now.last->loss, 3),
                    validation          ? tr("validation %1").arg(translations::fixedText(*validation, 3))
                    : now.last->skipped ? tr("step skipped")
                                        : tr("gradient %1").arg(translations::fixedText(now.last->gradNorm, 2)));
        m_speed->set(translations::countText(now.tokensPerSecond), tr("tokens/s"));
        m_speed->setToolTip(tr("The last step took %1.").arg(durationOf(now.last->seconds)));
    }
    showRemaining(now, took);
    showMachine(now.machine);
}

void RunTiles::showStep(const session::Snapshot& now) {
    const QString activity = session::isOver(now.state) ? QString() : models::activityText(now.activities);
    if (now.totalSteps == 0) {
        m_step->set(QStringLiteral("–"), activity);
        return;
    }
    m_step->set(tr("%1 / %2").arg(QLocale().toString(now.step), QLocale().toString(now.totalSteps)),
                now.step == 0 ? activity : tr("epoch %1").arg(translations::fixedText(now.epoch, 2)));
}

void RunTiles::showRemaining(const session::Snapshot& now, double took) {
    using session::RunState;
    const QString state = widgets::runStateText(now.state);
    if (session::isOver(now.state)) {
        m_remaining->set(QStringLiteral("–"), now.step > 0 ? tr("%1 after %2").arg(state, durationOf(took)) : state);
    } else if (now.isPaused && now.remainingSeconds) {
        m_remaining->set(durationOf(*now.remainingSeconds), tr("after the pause"));
    } else if (now.remainingSeconds) {
        const QTime end = QTime::currentTime().addSecs(static_cast<int>(*now.remainingSeconds));
        const QString clock = end.toString(QStringLiteral("HH:mm"));
        const double error = now.remainingErrorSeconds.value_or(0);
        m_remaining->set(durationOf(*now.remainingSeconds), error < kWorthSaying
                                                                ? tr("until %1").arg(clock)
                                                                : tr("± %1, until %2").arg(durationOf(error), clock));
    } else {
        m_remaining->set(QStringLiteral("–"), now.state == RunState::kIdle ? QString() : state);
    }
}

// What the GPUs draw, where they say it; else what the run takes of the host's memory.
void RunTiles::showMachine(const session::MachineStatus& machine) {
    if (machine.devices.empty()) return;
    double watts = 0;
    bool saysPower = false;
    std::optional<int64_t> coolest, hottest;
    for (const session::DeviceStatus& device : machine.devices) {
        if (!device.gpu) continue;
        saysPower = saysPower || device.gpu->powerWatts.has_value();
        watts += device.gpu->powerWatts.value_or(0);
        if (const auto celsius = device.gpu->temperatureCelsius) {
            coolest = std::min(coolest.value_or(*celsius), *celsius);
            hottest = std::max(hottest.value_or(*celsius), *celsius);
        }
    }
    if (!saysPower) {
        m_machine->set(sizeOf(machine.host.processBytes), tr("in memory"));
        m_machine->setToolTip(tr("%1 of the host's memory are free.").arg(sizeOf(machine.host.availableBytes)));
        return;
    }
    QString heat;
    if (coolest) heat = coolest == hottest ? tr("%1 °C").arg(*hottest) : tr("%1–%2 °C").arg(*coolest).arg(*hottest);
    m_machine->setToolTip(tr("Power and temperature of all GPUs"));
    m_machine->set(watts < 1000 ? tr("%1 W").arg(translations::fixedText(watts, 0))
                                : tr("%1 kW").arg(translations::fixedText(watts / 1000, 2)),
                   heat);
}

} // namespace roundpipe::ui::pages
